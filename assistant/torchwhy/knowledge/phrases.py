"""Where facts come from, and why one is unknown. Imported by whoever says them, which registers them."""

from __future__ import annotations

from torchwhy.text.phrases import phrase, register_beside

__all__ = ["PHRASES", "phrase"]

PHRASES = register_beside(__file__)
