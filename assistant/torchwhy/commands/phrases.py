"""What the command line itself says in both languages. Imported by whoever says it, which registers it."""

from __future__ import annotations

import torchwhy.answers.phrases
import torchwhy.lint.phrases
import torchwhy.proof.phrases
import torchwhy.run.phrases
import torchwhy.triaging.phrases  # noqa: F401 (commands say the phrases of all of these)
from torchwhy.text.phrases import phrase, register_beside

__all__ = ["PHRASES", "phrase"]

PHRASES = register_beside(__file__)
