"""The chat's phrases stand in `phrases.json` beside this, and are looked up with all others."""

from torchwhy.text.phrases import is_phrase as is_phrase
from torchwhy.text.phrases import phrase as phrase
