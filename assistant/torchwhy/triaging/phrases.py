"""What is said of a triage, in both languages."""

from __future__ import annotations

from torchwhy.text.phrases import phrase, register_beside

__all__ = ["PHRASES", "phrase"]

PHRASES = register_beside(__file__)
