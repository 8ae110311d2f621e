"""`torchwhy chat`: the chat on a terminal, or with --web in a browser."""

from __future__ import annotations

import argparse
import math
import os
import shlex
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any, BinaryIO

from torchwhy.cli.options import add_flags, add_shared
from torchwhy.errors import UsageError
from torchwhy.text.plain import harmless

if TYPE_CHECKING:
    from torchwhy.tui.app import ChatApp
    from torchwhy.tui.state import OfferedRun

HELP = "paste, ask, follow up and prove it on one screen"
# exported by an earlier terminal, they would be believed before the terminal
STALE_SIZES = ("LINES", "COLUMNS")
MAX_AGE_S = 86_400.0  # of a failed run that is offered


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_flags(
        parser,
        machine="look at this machine's facts for every diagnosis",
        no_source="do not look into the files that a traceback names (a browser's chat never does)",
        web="in a browser instead of this terminal (needs the extra web)",
    )
    parser.add_argument(
        "--port", type=int, help="with --web: the port to listen on (default: 8765; 0: any free one)"
    )
    add_shared(parser, "json", "lang", "kb", "model", "no-vectors")


def run(args: argparse.Namespace) -> int:
    if args.json:
        raise UsageError("chat draws on a screen and has no --json; ask without chat")
    if args.web:
        from .web import run_web

        return run_web(args)
    if args.port is not None:
        raise UsageError("--port goes with --web")
    if not sys.stdout.isatty():
        raise UsageError("chat needs a terminal; without one, ask: torchwhy -f log.txt")
    piped = None
    try:
        if not sys.stdin.isatty():
            piped = os.fdopen(os.dup(0), "rb")
            _to_terminal(0)
        if not sys.stderr.isatty():  # the screen is drawn on stderr
            _to_terminal(2)
    except OSError as error:
        raise UsageError(
            f"chat needs a terminal of its own ({error.strerror}); without one, ask: torchwhy -f log.txt"
        ) from error
    for name in STALE_SIZES:
        os.environ.pop(name, None)
    app = _app(args, piped)
    app.run()
    return app.return_code or 0


def open_tab(**told: Any) -> None:
    """The chat in one tab of a browser, in a process of its own."""
    from torchwhy.tui.paste_driver import patch_xterm_parser
    from torchwhy.tui.web.tab import TabDriver, WholePasteParser

    app = _app(argparse.Namespace(no_source=True, **told))
    app.driver_class = patch_xterm_parser(TabDriver, WholePasteParser)
    app.run()


def _app(args: argparse.Namespace, piped: BinaryIO | None = None) -> ChatApp:
    from torchwhy.tui.app import ChatApp
    from torchwhy.tui.state import ChatBackend, ChatOptions, Progress

    def open_backend(progress: Progress) -> ChatBackend:
        from torchwhy.api import Assistant

        return Assistant(
            args.kb, model=args.model, lang=args.lang, vectors=not args.no_vectors, progress=progress
        )

    options = ChatOptions(args.lang, piped, args.machine, not args.no_source, failed_run())
    return ChatApp(open_backend, options)


def failed_run() -> OfferedRun | None:
    """The last run, where it failed within a day: its error as a traceback of the user's own line."""
    from torchwhy.run import last
    from torchwhy.tui.state import OfferedRun

    kept = last.read()
    if kept is None or not kept.status or _age_s(kept.at) > MAX_AGE_S:
        return None
    error, here = kept.answer.get("error"), kept.answer.get("here")
    if not isinstance(error, dict):
        return None
    lines = [f"{error['exception']}: {error['message']}" if error["exception"] else str(error["message"])]
    if isinstance(here, dict):
        frame = f'  File "{here["file"]}", line {here["line"]}, in {here["function"]}'
        lines = ["Traceback (most recent call last):", frame, f"    {here['code']}", *lines]
    return OfferedRun(harmless(shlex.join(kept.command)), harmless("\n".join(lines)))


def _age_s(at: str) -> float:
    try:
        return time.time() - datetime.fromisoformat(at).timestamp()
    except ValueError:
        return math.inf


def _to_terminal(descriptor: int) -> None:
    """Make a standard stream the terminal that the program was started from. Raises OSError where there is
    none.
    """
    terminal = os.open("/dev/tty", os.O_RDWR)
    os.dup2(terminal, descriptor)
    os.close(terminal)
