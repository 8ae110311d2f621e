"""`torchwhy completion SHELL`: a script that completes commands, options, ids and categories.

The ids stand in the script itself, so that a key press starts no process at all; a shell that evaluates it
when it starts has those of today.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection

from torchwhy.cli.arguments import parsers
from torchwhy.cli.options import add_shared
from torchwhy.cli.setup import open_entries

HELP = "print the script that completes commands, options and ids in your shell"
SHELLS = ("bash", "zsh", "fish")
# what an argument is called in the help where a file or folder may stand
FILES = frozenset(["FILE", "DIR", "PYTHON", "PATH", "command"])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS)
    add_shared(parser, "kb")


def run(args: argparse.Namespace) -> int:
    pitfalls = open_entries(args).pitfalls
    sys.stdout.write(script(args.shell, sorted(pitfalls), {entry.category for entry in pitfalls.values()}))
    return 0


def script(shell: str, ids: Collection[str], categories: Collection[str]) -> str:
    """The script for one of SHELLS, read from the parsers, so that it never lags behind them."""
    import shtab

    named = dict.fromkeys(("id", "ID", "only"), ids) | dict.fromkeys(
        ("category", "CATEGORY"), sorted(categories)
    )
    top = argparse.ArgumentParser(prog="torchwhy", add_help=False)
    (_, question), *commands = parsers()
    # argparse has no public way to its arguments; every tool that completes reads this list
    for action in question._actions:
        if action.option_strings:
            top._add_action(action)
    below = top.add_subparsers()
    for (name,), parser in commands:
        below.add_parser(name, parents=[parser], add_help=False, help=parser.description)
    below.add_parser("help").add_argument("command", nargs="?", choices=list(below.choices))
    below.add_parser("version")
    _offer(top, named)
    return str(shtab.complete(top, shell=shell))


def _offer(parser: argparse.ArgumentParser, named: dict[str, Collection[str]]) -> None:
    """Say of each argument what may stand there."""
    for action in parser._actions:
        shown = action.metavar if isinstance(action.metavar, str) else action.dest
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                _offer(inner, named)
        elif shown in FILES and not action.choices:
            import shtab

            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif shown in named and not action.choices:
            action.choices = named[shown]
