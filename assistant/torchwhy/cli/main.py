"""The command line. One place turns an AssistantError into one line on stderr and an exit status.

Exit status of a question: 0 answered, 1 nothing fits, 2 usage or set-up error.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

from torchwhy.errors import AssistantError
from torchwhy.runtime.locations import HomeError
from torchwhy.text.plain import escaped

from .arguments import parse_line
from .output import tell

STDERR = 2  # its number as a file
# Nothing more can be written: a disk is full, a quota or a limit reached, a device at fault.
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG, errno.EIO)
USAGE_ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141  # exit statuses, the last two as a shell has them


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    open_streams()
    try:
        name, args = parse_line(words)
        args.ends_the_process = argv is None
        from torchwhy.extend import command

        status = command(name).run(args)
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
    except Exception as error:
        reason = why_stopped(error) if isinstance(error, OSError) else None
        if reason is None:
            raise
        tell(reason)
        if isinstance(error, OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return USAGE_ERROR


def open_streams() -> None:
    """Give this process the standard streams that it was started without (`>&-`, a daemon): else the next
    file that is opened takes a stream's place. What it starts has them closed, as they were given.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (free := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        pass
    os.close(free)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (it stays open)
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def why_stopped(error: OSError) -> str | None:
    """The line for an error of the system that can stop any command; None for another one."""
    if isinstance(error, HomeError):
        return str(error)
    if error.errno in FULL:
        where = f"{escaped(error.filename)} " if isinstance(error.filename, str) else "the output "
        return f"{where}cannot be written ({error.strerror})"
    if isinstance(error, FileNotFoundError) and error.filename is None:
        try:
            os.getcwd()
        except OSError:
            return "the current folder is not there any more"
    return None
