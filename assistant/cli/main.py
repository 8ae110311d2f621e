"""The command line. One place turns an AssistantError into one line on stderr and an exit status.

Exit status of a question: 0 answered, 1 nothing fits, 2 usage or set-up error.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from assistant.errors import AssistantError

from .arguments import parse_line
from .ask import ask
from .output import tell

USAGE_ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141  # exit statuses, the last two as a shell has them


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    open_what_is_closed()
    try:
        name, args = parse_line(words)
        status = run(name, args)
        sys.stdout.flush()
        return status
    except AssistantError as error:
        tell(error)
        return USAGE_ERROR
    except BrokenPipeError:
        # the interpreter flushes at exit and must not complain either
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return BROKEN_PIPE
    except KeyboardInterrupt:
        print("\ntorchwhy: interrupted", file=sys.stderr)
        return INTERRUPTED


def open_what_is_closed() -> None:
    """Let input and outputs that were closed (`>&-`) lead nowhere: else the next file that is opened takes
    the number, and what a program prints is written into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
        setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115 (it stays open)


def run(name: str, args: argparse.Namespace) -> int:
    """Run a command, or answer a question ("ask")."""
    if name == "ask":
        return ask(args)
    from .commands import COMMANDS

    return COMMANDS[name].run(args)
