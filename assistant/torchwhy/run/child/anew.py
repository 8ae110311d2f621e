"""Runs the program that crashed from its start again, with edits in it, in a fork of it.

For edits of lines that ran before the one that failed: what came of them stands nowhere. Nothing is written
but below a folder of torchwhy's, connected to or started, and what the program printed until it ended is
compared (Python 3.8 and later, the standard library and the program's own torch).
"""

from __future__ import annotations

import gc
import importlib.machinery
import io
import linecache
import os
import shutil
import sys
import tempfile
import traceback
from types import ModuleType, TracebackType
from typing import Any, Callable, Dict, List, Optional, Tuple

from torchwhy_apart import MAX_WORDS_CHARS, refuse, shut_in
from torchwhy_crash_context import context, is_library

MAX_PRINTED_CHARS = 100_000
MAX_TEXT_CHARS = 20_000  # of a traceback
# What may be done to files below the folder, by the places of the paths in what the event is given
ON_FILES = {"os.mkdir": 1, "os.remove": 1, "os.rename": 2, "os.rmdir": 1, "os.chmod": 1, "os.utime": 1}
HARMLESS = frozenset(["os.putenv", "os.unsetenv"])  # of this process alone
Texts = Dict[str, str]  # of the edited files, by their real paths


class Printed(io.TextIOWrapper):
    """What stands in the place of the standard output."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "utf-8", write_through=True)

    def text(self) -> str:
        return self.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined, no-any-return]


def run_again(texts: Texts, folder: str) -> Dict[str, Any]:
    """How the program ends with these texts in the place of its files': `verdict`, `why`, what it `printed`,
    the `state` of its models at the end; where it failed the `text` and the `record` of that.
    """
    path = getattr(sys.modules["__main__"], "__file__", None)
    if not path or getattr(sys.modules["__main__"], "__spec__", None) is not None:
        return {"verdict": "not tried", "why": "the program is no script"}
    if not shut_in(folder):
        return {"verdict": "not tried", "why": "the kernel has no Landlock"}
    path = os.path.abspath(path)
    out = Printed()
    error: Optional[BaseException] = None
    _prepare(folder)
    _forget_own_modules()
    _read_instead(texts)
    before, crash = {id(each) for each in _models()}, sys.exc_info()[1]
    kept, sys.stdout = sys.stdout, out
    sys.addaudithook(lambda event, given: _refuse(event, given, folder))
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = path
    try:
        text = texts.get(os.path.realpath(path)) or "".join(linecache.getlines(path))
        exec(compile(text, path, "exec"), main.__dict__)
    except SystemExit as end:
        error = end if end.code else None
    except Exception as raised:
        error = raised
    sys.stdout = kept
    said: Dict[str, Any] = {"printed": out.text()[:MAX_PRINTED_CHARS]}
    if error is None:
        return {**said, "verdict": "runs", "why": "", "state": _state(before)}
    refused = isinstance(error, PermissionError) and "refused in a fork" in str(error)
    words = ("%s: %s" % (type(error).__name__, error))[:MAX_WORDS_CHARS]
    if refused:
        return {**said, "verdict": "not tried", "why": words}
    _without_context(error, crash)
    trace = _of_the_program(error.__traceback__)
    lines = traceback.format_exception(type(error), error, trace)
    record = context(error, trace)
    return {
        **said,
        "verdict": "fails",
        "why": words,
        "text": "".join(lines)[-MAX_TEXT_CHARS:],
        "record": record,
    }


def _prepare(folder: str) -> None:
    """What a fork cannot do as the program did: threads and workers of its own, taking folders away."""
    torch = sys.modules["torch"]
    torch.set_grad_enabled(True)  # it may have failed below no_grad
    torch.set_num_threads = torch.set_num_interop_threads = lambda number: None  # type: ignore[attr-defined]
    tempfile.tempdir = os.environ["TMPDIR"] = folder
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # a GPU is the program's
    shutil.rmtree = tempfile._rmtree = lambda *_, **__: None  # type: ignore[assignment, attr-defined]
    loading = sys.modules.get("torch.utils.data.dataloader")
    if loading is not None:
        loading.DataLoader = _without_workers(loading.DataLoader)  # type: ignore[attr-defined]


def _without_workers(kind: Any) -> Any:
    made = kind.__init__

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        for name in ("num_workers", "prefetch_factor", "persistent_workers", "multiprocessing_context"):
            named.pop(name, None)
        made(self, *given, **named)

    kind.__init__ = __init__
    return kind


def _forget_own_modules() -> None:
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and not is_library(file) and not name.startswith("torchwhy") and name != "__main__":
            del sys.modules[name]


def _read_instead(texts: Texts) -> None:
    """Let Python read these texts where it would read the files, tracebacks too."""
    for path, text in texts.items():
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    loader = importlib.machinery.SourceFileLoader
    original: Callable[..., Any] = loader.get_code

    def get_code(self: Any, name: str) -> Any:
        path = self.get_filename(name)
        text = texts.get(os.path.realpath(path))
        return original(self, name) if text is None else compile(text, path, "exec", dont_inherit=True)

    loader.get_code = get_code  # type: ignore[assignment, method-assign]


def _refuse(event: str, given: Tuple[Any, ...], folder: str) -> None:
    if event in HARMLESS:
        return
    paths = given[: ON_FILES.get(event, event == "open")]
    if paths and all(_is_below(each, folder) for each in paths):
        return
    refuse(event, given)


def _is_below(path: Any, folder: str) -> bool:
    try:
        return os.path.realpath(os.fsdecode(path)).startswith(os.path.realpath(folder) + os.sep)
    except TypeError:  # a descriptor
        return False


def _of_the_program(trace: Optional[TracebackType]) -> Optional[TracebackType]:
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(
        "<frozen importlib._bootstrap: "
    ):
        trace = trace.tb_next
    return trace


def _without_context(error: BaseException, crash: Optional[BaseException]) -> None:
    """Let what is being handled while all this runs be no part of an error's story."""
    last: Optional[BaseException] = error
    while last is not None and last.__context__ is not crash:
        last = last.__context__
    if last is not None:
        last.__context__ = None


def _models() -> List[Any]:
    module = sys.modules["torch"].nn.Module
    return [each for each in gc.get_objects() if issubclass(type(each), module) and "_modules" in vars(each)]


def _state(before: Any) -> List[float]:
    """A number for each model that the program made, which tells whether they were trained alike."""
    made = (each for each in _models() if id(each) not in before)
    own = ([p for p in each._parameters.values() if p is not None] for each in made)
    return sorted(float(p.detach().double().abs().sum()) for parts in own for p in parts)
