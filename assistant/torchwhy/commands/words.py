"""What a line can hold, read from the parsers: so completion never lags behind them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["flag", "value", "file", "id", "category", "choice"]
FILES = ("FILE", "DIR", "PYTHON", "PATH")
IDS = ("id", "ID", "only")
CATEGORIES = ("CATEGORY", "category")


@dataclass(frozen=True, slots=True)
class Word:
    """An option (`names`), or a positional argument (none); `kind` says what is completed after it."""

    names: tuple[str, ...]
    kind: Kind
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A command, or a command's action (`kb new`): its words."""

    path: tuple[str, ...]
    help: str
    words: tuple[Word, ...]

    @property
    def options(self) -> tuple[Word, ...]:
        return tuple(word for word in self.words if word.names)

    @property
    def positional(self) -> tuple[Word, ...]:
        return tuple(word for word in self.words if not word.names)


def forms(parsers: Iterable[tuple[tuple[str, ...], argparse.ArgumentParser]]) -> list[Form]:
    """The forms of these parsers and of the actions within them."""
    return [form for path, parser in parsers for form in _forms(parser, path)]


def _forms(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[Form]:
    # argparse has no public way to its actions; every tool that completes reads this list
    actions = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    inner = [action for action in actions if isinstance(action, argparse._SubParsersAction)]
    words = tuple(_word(action) for action in actions if action not in inner)
    names = tuple(name for action in inner for name in action.choices)
    if names:
        words += (Word((), "choice", "", names),)
    yield Form(path, parser.description or "", words)
    for action in inner:
        for name, each in action.choices.items():
            yield from _forms(each, (*path, name))


def _word(action: argparse.Action) -> Word:
    names = tuple(action.option_strings)
    shown = action.metavar if isinstance(action.metavar, str) else action.dest
    choices = tuple(str(each) for each in action.choices or ())
    kind: Kind = "value"
    if names and action.nargs == 0:
        kind = "flag"
    elif choices:
        kind = "choice"
    elif shown in FILES:
        kind = "file"
    elif shown in IDS:
        kind = "id"
    elif shown in CATEGORIES:
        kind = "category"
    return Word(names, kind, action.help or "", choices)
