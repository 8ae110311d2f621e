"""What is said around a model's words. Imported by whoever says them, which registers them."""

from __future__ import annotations

import assistant.answers.phrases  # noqa: F401 (its phrases are said here as well)
from assistant.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "rewritten_plain": (
        "The plain answer: the same command without `--rewrite`.",
        "原回答：去掉 `--rewrite` 重新运行。",
    ),
}
register(PHRASES)
