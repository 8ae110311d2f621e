"""The parser of this program, and the options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from torchwhy.errors import UsageError
from torchwhy.runtime import settings
from torchwhy.text.plain import escaped

FIRST_LINES = """\
  torchwhy run train.py          run it; when it dies: why, with the shapes
  torchwhy run --watch train.py  it runs, but learns nothing
  torchwhy -f slurm-1234.out     it has died already: answer its log
  torchwhy "CUDA out of memory"  a message, or a question in words
  torchwhy check train.py        before it runs: mistakes in its source
  torchwhy chat                  talk it through
"""
OF_MAINTAINERS = ("model", "no-vectors")  # shared options that no help shows but that of "index" and "eval"
# Options that several commands share: what stands for the value ("" of a flag), and the help.
SHARED = {
    "file": ("FILE", "read the error or log from FILE (- is standard input)"),
    "python": ("PYTHON", "the Python whose torch failed, or its environment's folder"),
    "json": ("", "print one JSON object; its form is on the site's page on JSON"),
    "lang": ("auto|en|zh", "language of the answer"),
    "kb": ("DIR", "a knowledge base of your own beside the shipped one (TORCHWHY_KB)"),
    "model": ("NAME", "embedding model: a sentence-transformers name or folder (TORCHWHY_MODEL)"),
    "no-vectors": ("", "answer from signatures and words alone"),
    "full-text": ("", "tell the error's text as it is, but for known forms of secrets"),
}


class Parser(argparse.ArgumentParser):
    """Raises instead of exiting, so that a line that is no command can still be a question."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{escaped(message)} ({self.prog} --help)")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As argparse's, but what a subcommand does not know is its own error, not that of the parser above
        it.
        """
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return parsed, unknown


def add_shared(parser: argparse.ArgumentParser, *names: str, maintained: bool = False) -> None:
    """Add these options of SHARED, in this order; `maintained`: the help shows those for maintainers too."""
    for name in names:
        value, text = SHARED[name]
        if name in OF_MAINTAINERS and not maintained:
            text = argparse.SUPPRESS
        if name == "lang":
            parser.add_argument("--lang", choices=value.split("|"), default=settings.LANG.read(), help=text)
        elif value:
            short = ["-f"] if name == "file" else []
            parser.add_argument(*short, f"--{name}", metavar=value, help=text)
        else:
            parser.add_argument(f"--{name}", action="store_true", help=text)


def add_flags(parser: argparse.ArgumentParser, **flags: str) -> None:
    """Add options that take no value, in this order, each with its help: `no_source` is --no-source."""
    for name, text in flags.items():
        parser.add_argument(f"--{name.replace('_', '-')}", action="store_true", help=text)


def add_values(parser: argparse.ArgumentParser, **values: tuple[str, str]) -> None:
    """As `add_flags`, options that take a value: what stands for it in the help, and the help."""
    for name, (value, text) in values.items():
        parser.add_argument(f"--{name.replace('_', '-')}", metavar=value, help=text)


def add_mine(parser: argparse.ArgumentParser, what: str) -> None:
    """--mine, for what may run Python of the user's own knowledge."""
    parser.add_argument("--mine", action="store_true", help=f"{what}, since you wrote it")
