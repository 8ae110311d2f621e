"""Where the core meets what stands on it: by name, imported when it is first asked for.

The core (paste to answer) imports no face; the command line reaches each command through this table.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Protocol, cast


class Command(Protocol):
    """What the file of a command in `commands/` holds."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own options and the shared ones that mean something to it."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Run it and return the exit status. Raises AssistantError."""
        ...


def command(name: str) -> Command:
    """The command of this name, and "ask", which is what a line without a command's name means."""
    return cast(Command, import_module(f"torchwhy.commands.{name}"))


class CommandTable(Mapping[str, Command]):
    """Commands by name, in the order of the help; the file of one is imported when it is looked up."""

    NAMES = (
        *("run", "last", "check", "triage", "chat", "confirm", "show", "repro", "report", "list", "attach"),
        *("index", "eval", "machine", "mcp", "lsp", "doctor", "completion", "kb"),
    )

    def __getitem__(self, name: str) -> Command:
        if name not in self.NAMES:
            raise KeyError(name)
        return command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.NAMES)

    def __len__(self) -> int:
        return len(self.NAMES)


COMMANDS = CommandTable()
