"""The law of the asked name: what a question calls by its name is spoken of in the entry.

A question with `ignore_mismatched_sizes` led to an entry that never said the word. Names that the asker gave
himself (running_loss, target_net) are left out, as far as they are made of the words that people make them
of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.files import ASKS_FILES
from torchwhy.knowledge.texts import SECTIONS, file_of
from torchwhy.text.language import LANGS

from .known_names import known_names

# snake_case, the last part of a dotted name too; constants in capitals are parts of messages
NAME = re.compile(r"(?<![\w./-])(?:[A-Za-z]\w*\.)*(_*[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+_*)(?![\w.])", re.ASCII)
VARIABLE_WORDS = known_names("words")


def check_asked_names(entry: Pitfall) -> Iterator[Problem]:
    """Names in questions that neither the explanation nor the message has."""
    texts = [getattr(entry, section) for section in ("title", *SECTIONS)]
    texts += [says.text for signature in entry.signatures for says in signature.says]
    parts = [part for text in texts for part in (text.en, text.zh)]
    parts += [f"{signature.example} {signature.pattern}" for signature in entry.signatures]
    parts += [says.when or "" for signature in entry.signatures for says in signature.says]
    known = " ".join(parts).lower().replace("-", "_")
    for lang in LANGS:
        for line in entry.asks[lang]:
            for name in dict.fromkeys(NAME.findall(line)):
                words = name.lower().strip("_").split("_")
                if name.isupper() or name.lower() in known:
                    continue
                if all(word in VARIABLE_WORDS or word.isdigit() for word in words):
                    continue
                wanted = "a word about it in cause, fix or check (or in says); or the question in other words"
                yield Problem(
                    file_of(entry, ASKS_FILES[lang]),
                    f"asks.{lang}",
                    f"{name}, of which nothing is said",
                    wanted,
                )
