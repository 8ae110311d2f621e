"""`torchwhy completion SHELL`: a script that completes commands, options, ids and categories."""

from __future__ import annotations

import argparse
import sys

from torchwhy.cli.arguments import parsers
from torchwhy.cli.options import add_shared
from torchwhy.cli.setup import open_entries

from .shells import SHELLS, Known, forms, script

HELP = "print the script that completes commands, options and ids in your shell"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS)
    add_shared(parser, "kb")


def run(args: argparse.Namespace) -> int:
    pitfalls = open_entries(args).pitfalls
    categories = sorted({entry.category for entry in pitfalls.values()})
    sys.stdout.write(script(args.shell, Known([*forms(parsers())], sorted(pitfalls), categories)))
    return 0
