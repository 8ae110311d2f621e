"""A run's phrases stand in `phrases.json` beside this, and are looked up with all others."""

from torchwhy.text.phrases import phrase as phrase
