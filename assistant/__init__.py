"""torchwhy: why did my PyTorch program fail?"""

from .answer import Answer, Match, Reason
from .api import Assistant
from .errors import AssistantError, ConfirmError, KnowledgeError, ModelError, StoreError, UsageError
from .types import Pitfall

__all__ = [
    "Answer", "Assistant", "AssistantError", "ConfirmError", "KnowledgeError", "Match", "ModelError", "Pitfall", "Reason",
    "StoreError", "UsageError",
]  # fmt: skip
__version__ = "0.1.0"
