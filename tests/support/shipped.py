"""The shipped knowledge, read once in each process of the tests: a reading takes two seconds of CPU."""

from __future__ import annotations

from functools import lru_cache

from torchwhy.knowledge.load import Knowledge, load_documents, load_knowledge
from torchwhy.runtime import locations


@lru_cache(maxsize=1)
def knowledge() -> Knowledge:
    return load_knowledge([locations.shipped("kb")], load_documents(locations.documents()))
