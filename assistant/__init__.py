"""torchwhy: why did my PyTorch program fail?"""

from assistant.answers.answer import Answer, Match, Reason
from assistant.api import Assistant
from assistant.errors import AssistantError, ConfirmError, KnowledgeError, ModelError, StoreError, UsageError
from assistant.knowledge.entry import Pitfall
from assistant.plugins.notebook import load_ipython_extension, unload_ipython_extension
from assistant.plugins.script import install
from assistant.version import __version__ as __version__

__all__ = [
    "Answer",
    "Assistant",
    "AssistantError",
    "ConfirmError",
    "KnowledgeError",
    "Match",
    "ModelError",
    "Pitfall",
    "Reason",
    "StoreError",
    "UsageError",
    "install",
    "load_ipython_extension",
    "unload_ipython_extension",
]
