"""`torchwhy attach PID`: where a program that hangs already stands, with the processes that it started."""

from __future__ import annotations

import argparse
import os
import time
from contextlib import suppress

from torchwhy.cli.options import add_flags, add_shared
from torchwhy.cli.output import print_json
from torchwhy.cli.setup import page_lang
from torchwhy.errors import UsageError

HELP = "say where a program that hangs stands, and what its ranks wait for"
BETWEEN_LOOKS_S = 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pid", type=int, metavar="PID", help="the program, or the launcher that started it")
    add_flags(parser, full="print every stack as well")
    add_shared(parser, "json", "lang", "kb")


def run(args: argparse.Namespace) -> int:
    """0, or 1 where none of its processes runs Python code of the user's. It goes on running.

    Raises UsageError where there is no such process, or it may not be looked into.
    """
    from torchwhy.run import stacks, waits
    from torchwhy.text.phrases import phrase

    from .run_stall import told

    if args.pid <= 0 or not os.path.exists(f"/proc/{args.pid}"):
        raise UsageError(f"no process {args.pid} on this machine (attach needs Linux)")
    before = {stack.pid: stack.places() for stack in stacks.stacks(args.pid)}
    if not before:
        raise UsageError(why_not(args.pid))
    time.sleep(BETWEEN_LOOKS_S)
    found = stacks.stacks(args.pid)
    moving = [stack.pid for stack in found if stack.places() != before.get(stack.pid, stack.places())]
    standing = waits.standing(found)
    lang = page_lang(args)
    lines = told(args, standing)
    if moving:
        lines.append(
            phrase("run_moves", lang, pids=", ".join(map(str, moving)), seconds=f"{BETWEEN_LOOKS_S:g}")
        )
    if args.json:
        rows = [waits.as_json(wait) | {"moves": wait.pid in moving} for wait in standing.waits]
        print_json(
            {
                "schema": 1,
                "waits": rows,
                "missing_ranks": standing.missing,
                "entry": standing.entry or None,
                "text": "\n".join(lines),
            }
        )
    else:
        print("\n".join(lines))
        if args.full:
            print("".join(f"\n--- {stack.pid}\n{stack.text}\n" for stack in found), end="")
    return 0 if standing.waits else 1


def why_not(pid: int) -> str:
    """Why no stack of it could be read, and what to do."""
    from torchwhy.runtime.system import program

    with suppress(PermissionError):
        if "python" not in os.path.basename(os.readlink(f"/proc/{pid}/exe")):
            return f"process {pid} is no Python program, and started none"
        if program("py-spy") is None:
            return f"process {pid} can only be looked into with py-spy: pip install py-spy"
    right = "run this as its owner or with sudo; in a container add --cap-add SYS_PTRACE"
    return f"process {pid} may not be looked into: {right}"
