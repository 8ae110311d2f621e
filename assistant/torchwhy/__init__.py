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

_NAMES_OF = {
    "answers.answer": ("Answer", "Match", "Reason"),
    "api": ("Assistant",),
    "errors": (
        *("AssistantError", "ConfirmError", "KnowledgeError", "ModelError", "StoreError", "UsageError"),
    ),
    "knowledge.entry": ("Pitfall",),
    "lint.api": ("check",),
    "lint.finding": ("Finding",),
    "plugins.notebook": ("load_ipython_extension", "unload_ipython_extension"),
    "plugins.script": ("install",),
    "plugins.trainers": ("lightning_watch", "trainer_watch"),
    "plugins.watching": ("watch",),
    "triaging.engine": ("triage",),
    "triaging.row": ("Row",),
    "version": ("__version__",),
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names}


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
