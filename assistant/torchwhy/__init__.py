"""torchwhy: why did my PyTorch program fail?

A name is imported when it is first asked for: pytest and IPython load plugins of this package in processes
that may never ask a question. Nothing else is imported here.
"""

TYPE_CHECKING = False  # that of `typing`: `python -m` comes here before the current folder has left sys.path
if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer, Match, Reason
    from torchwhy.api import Assistant
    from torchwhy.errors import (
        AssistantError,
        ConfirmError,
        KnowledgeError,
        ModelError,
        StoreError,
        UsageError,
    )
    from torchwhy.knowledge.entry import Pitfall
    from torchwhy.lint.api import check
    from torchwhy.lint.finding import Finding
    from torchwhy.plugins.notebook import load_ipython_extension, unload_ipython_extension
    from torchwhy.plugins.script import install
    from torchwhy.plugins.trainers import lightning_watch, trainer_watch
    from torchwhy.plugins.watching import watch
    from torchwhy.triaging.engine import triage
    from torchwhy.triaging.row import Row
    from torchwhy.version import __version__ as __version__

__all__ = [
    "Answer",
    "Assistant",
    "AssistantError",
    "ConfirmError",
    "Finding",
    "KnowledgeError",
    "Match",
    "ModelError",
    "Pitfall",
    "Reason",
    "Row",
    "StoreError",
    "UsageError",
    "check",
    "install",
    "lightning_watch",
    "load_ipython_extension",
    "trainer_watch",
    "triage",
    "unload_ipython_extension",
    "watch",
]

_MODULE_OF = {
    "Answer": "answers.answer",
    "Assistant": "api",
    "AssistantError": "errors",
    "ConfirmError": "errors",
    "Finding": "lint.finding",
    "KnowledgeError": "errors",
    "Match": "answers.answer",
    "ModelError": "errors",
    "Pitfall": "knowledge.entry",
    "Reason": "answers.answer",
    "Row": "triaging.row",
    "StoreError": "errors",
    "UsageError": "errors",
    "__version__": "version",
    "check": "lint.api",
    "install": "plugins.script",
    "lightning_watch": "plugins.trainers",
    "load_ipython_extension": "plugins.notebook",
    "trainer_watch": "plugins.trainers",
    "triage": "triaging.engine",
    "unload_ipython_extension": "plugins.notebook",
    "watch": "plugins.watching",
}


def __getattr__(name: str) -> object:
    """The public name, imported. Raises AttributeError for any other one."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})
