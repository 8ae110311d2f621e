"""`torchwhy.watch()` as a callback of Lightning and of the Hugging Face Trainer.

The classes are made when asked for, so that neither library is imported before.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from torchwhy.errors import UsageError
from torchwhy.run.watched import WatchFinding

from .watching import watch

_begun: list[_Watching] = []


class _Watching:
    """What both callbacks do: one watch, from the begin of a training to its end.

    findings: what was seen, oldest first; of the latest training only.
    """

    def __init__(self, lang: str = "auto", quiet: bool = False) -> None:
        super().__init__()
        self.lang, self.quiet = lang, quiet
        self._watch: watch | None = None

    @property
    def findings(self) -> tuple[WatchFinding, ...]:
        return self._watch.findings if self._watch is not None else ()

    def _begin(self, first_process: bool) -> None:
        """Begin. A training that an exception ended, and whose callback did not hear of it, is ended here."""
        for one in tuple(_begun):
            one._end()
        self._watch = watch(lang=self.lang, quiet=self.quiet or not first_process)
        self._watch.__enter__()
        _begun.append(self)

    def _end(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        if self in _begun:
            _begun.remove(self)
            assert self._watch is not None
            self._watch.__exit__(kind, error, trace)


def lightning_watch(*, lang: str = "auto", quiet: bool = False) -> Any:
    """A callback for Lightning: `Trainer(callbacks=[torchwhy.lightning_watch()])`.

    It watches `fit` once the optimizers are made, to its end, and prints as `torchwhy.watch` does, in
    the first process only; `findings` has what was seen. lang: `en`, `zh` or `auto`. quiet: print nothing.
    It is of the package that the program has imported (`lightning` or `pytorch_lightning`), else of the one
    that is installed. Raises UsageError where none is.
    """
    made: Callable[..., Any] = _lightning_class(_first_of("lightning.pytorch", "pytorch_lightning"))
    return made(lang, quiet)


def trainer_watch(*, lang: str = "auto", quiet: bool = False) -> Any:
    """A callback for the Hugging Face Trainer: `Trainer(..., callbacks=[torchwhy.trainer_watch()])`.

    It watches `train` and prints as `torchwhy.watch` does, in the first process only; `findings` has what
    was seen. lang: `en`, `zh` or `auto`. quiet: print nothing. The Trainer tells a callback nothing when an
    exception ends the training: the watch then ends with the next training's begin, or with the program.
    Raises UsageError where transformers is not installed.
    """
    made: Callable[..., Any] = _trainer_class(_first_of("transformers"))
    return made(lang, quiet)


def _first_of(*names: str) -> str:
    """The package that is imported already, else the first that can be."""
    loaded = [name for name in names if name in sys.modules]
    for name in loaded or names:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        return name
    raise UsageError(f"{names[0].split('.')[0]} is not installed: this callback needs it")


@functools.cache
def _lightning_class(package: str) -> type:
    base: Any = importlib.import_module(package).Callback

    class LightningWatch(_Watching, base):  # type: ignore[misc]
        """The watch of one `fit`."""

        def __reduce__(self) -> Any:  # a strategy that spawns processes sends callbacks to them
            return _again, (lightning_watch, self.lang, self.quiet)

        def on_fit_start(self, trainer: Any, pl_module: Any) -> None:
            self._begin(trainer.is_global_zero)

        def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
            self._end(type(exception), exception, exception.__traceback__)

        def on_fit_end(self, trainer: Any, pl_module: Any) -> None:
            self._end()

    return LightningWatch


@functools.cache
def _trainer_class(package: str) -> type:
    base: Any = importlib.import_module(package).TrainerCallback

    class TrainerWatch(_Watching, base):  # type: ignore[misc]
        """The watch of one `train`."""

        def __reduce__(self) -> Any:
            return _again, (trainer_watch, self.lang, self.quiet)

        def on_train_begin(self, args: Any, state: Any, control: Any, **given: Any) -> None:
            self._begin(state.is_world_process_zero)

        def on_train_end(self, args: Any, state: Any, control: Any, **given: Any) -> None:
            self._end()

    return TrainerWatch


def _again(make: Callable[..., Any], lang: str, quiet: bool) -> Any:
    return make(lang=lang, quiet=quiet)
