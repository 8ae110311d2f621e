"""The table of commands: a new one is a file beside this one, and a line here."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Protocol

from . import (
    chat,
    check,
    completion,
    confirm,
    doctor,
    eval,
    index,
    kb,
    last,
    list,
    machine,
    man,
    mcp,
    report,
    repro,
    run,
    show,
    triage,
)


class Command(Protocol):
    """What the file of a command holds."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own options and the shared ones that mean something to it."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Run it and return the exit status. Raises AssistantError."""
        ...


COMMANDS: Mapping[str, Command] = {
    "run": run,
    "last": last,
    "check": check,
    "triage": triage,
    "chat": chat,
    "confirm": confirm,
    "show": show,
    "repro": repro,
    "report": report,
    "list": list,
    "index": index,
    "eval": eval,
    "machine": machine,
    "mcp": mcp,
    "doctor": doctor,
    "completion": completion,
    "man": man,
    "kb": kb,
}
