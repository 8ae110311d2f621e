"""`torchwhy.install()`: an uncaught exception of this program, of a thread or of a notebook's cell is
answered below its traceback.
"""

from __future__ import annotations

import sys
import threading
from types import TracebackType

_installed = False


def install(*, lang: str | None = None) -> None:
    """Answer uncaught exceptions on standard error, below the traceback that is printed as ever.

    The exit status stays. Does nothing a second time, nor below `torchwhy run`, which answers itself.
    """
    from .exception import in_run

    global _installed
    if _installed or in_run():
        return
    _installed = True
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        from .notebook import answer_cells

        answer_cells(shell, lang)  # a shell shows what a cell raises itself, and asks no excepthook
        return
    before, before_threads = sys.excepthook, threading.excepthook

    def excepthook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before(kind, error, trace)
        if not isinstance(error, KeyboardInterrupt):
            _tell(error, lang)

    def thread_excepthook(args: threading.ExceptHookArgs) -> None:
        before_threads(args)
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            _tell(args.exc_value, lang)

    sys.excepthook = excepthook
    threading.excepthook = thread_excepthook


def _tell(error: BaseException, lang: str | None) -> None:
    from .exception import explain

    try:
        told = explain(error, lang=lang)
        print(file=sys.stderr)
        told.print(sys.stderr)
        sys.stderr.flush()
    except (
        Exception,
        SystemExit,
    ) as problem:  # the program's own error has been printed; this one is only in the way
        print(f"torchwhy: {type(problem).__name__}: {problem}", file=sys.stderr)
