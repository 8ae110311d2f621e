"""Verdicts, and the fixed parts of a bug report. Imported by whoever says them, which registers them."""

from __future__ import annotations

import torchwhy.answers.phrases
import torchwhy.knowledge.phrases  # noqa: F401 (its phrases are said here as well)
from torchwhy.text.phrases import phrase, register_beside

__all__ = ["PHRASES", "phrase"]

PHRASES = register_beside(__file__)
