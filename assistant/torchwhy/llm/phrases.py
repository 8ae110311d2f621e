"""What is said around a model's words. Imported by whoever says them, which registers them."""

from __future__ import annotations

import torchwhy.answers.phrases  # noqa: F401 (its phrases are said here as well)
from torchwhy.text.phrases import phrase, register

__all__ = ["PHRASES", "phrase"]

PHRASES = {
    "chose": (
        "{model} ({host}), a language model, chose {id} among the {count} best: {title}. It may be wrong; `torchwhy show {id}` is the entry.",
        "语言模型 {model}（{host}）在最接近的 {count} 个条目中选了 {id}：{title}。它可能选错；条目见 `torchwhy show {id}`。",
    ),
    "chose_none": (
        "{model} ({host}), a language model, says that none of the {count} best explains it. It may be wrong.",
        "语言模型 {model}（{host}）认为最接近的 {count} 个条目都不能解释这个问题。它可能说错。",
    ),
    "rewritten_plain": (
        "The plain answer: the same command without `--rewrite`.",
        "原回答：去掉 `--rewrite` 重新运行。",
    ),
}
register(PHRASES)
