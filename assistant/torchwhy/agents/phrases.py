"""What is said to an agent around an answer. Imported by whoever says it, which registers it."""

from __future__ import annotations

import torchwhy.answers.phrases
import torchwhy.proof.phrases  # noqa: F401 (the phrases of both are said here as well)
from torchwhy.text.phrases import phrase, register_beside

__all__ = ["PHRASES", "phrase"]

PHRASES = register_beside(__file__)
