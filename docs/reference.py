"""The reference: commands as their parsers say, settings, public Python names, JSON schemas. All of it is
read from the program itself, so that it cannot say anything else.
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import torchwhy
from torchwhy.answers.answer import FamilyMatch
from torchwhy.answers.change import Change
from torchwhy.answers.own_error import PythonError
from torchwhy.cli.arguments import command_parser, question_parser
from torchwhy.cli.options import Parser
from torchwhy.extend import COMMANDS
from torchwhy.knowledge.load import Knowledge
from torchwhy.paste.place import Package, UserFrame
from torchwhy.runtime.settings import markdown_table

from .pages import HERE, LANGS, Page, fenced, page, say

HELP_COLUMNS = "96"
EXAMPLE = HERE / "templates" / "example.py"
HELD = (
    Change,
    UserFrame,
    Package,
    FamilyMatch,
    PythonError,
)  # types of public fields that have no public name
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Section(NamedTuple):
    """A heading with an id, and the Markdown below it."""

    id: str
    title: str
    text: str
    level: int = 2


def reference_pages(_: Knowledge) -> Iterator[Page]:
    """The pages of the reference, which are English, and a list of them in each language."""
    pages = [
        _page("commands", "Every command as its --help prints it.", _commands()),
        _page("settings", "What torchwhy reads from the environment.", [], markdown_table()),
        _page("python_api", "The public names of the package, from their docstrings.", _python(), _example()),
        _page(
            "json_forms",
            "What --json prints; the number `schema` counts up when a field changes its meaning.",
            _schemas(),
            "A script that reads an answer: [As a program](/guides/agents.md#as-a-program).",
        ),
    ]
    yield from pages
    for lang in LANGS:
        yield page("list", "reference/index.md", lang, say("reference", lang), pages=pages)


def _page(key: str, about: str, sections: Iterator[Section] | list[Section], text: str = "") -> Page:
    path = f"reference/{key.partition('_')[0]}.md"
    return page("reference", path, "en", say(key, "en"), about, sections=sections, text=text)._replace(
        both=False
    )


def command_helps() -> dict[str, str]:
    """What `--help` prints, by command; the question itself is ""."""
    with mock.patch.dict(os.environ, COLUMNS=HELP_COLUMNS):  # at which argparse folds its lines
        helps = {"": question_parser().format_help(), "(a question)": question_parser(Parser).format_help()}
        helps.update(
            {name: command_parser(name, command).format_help() for name, command in COMMANDS.items()}
        )
        return helps


def _commands() -> Iterator[Section]:
    for name, text in command_helps().items():
        yield Section(name or "torchwhy", f"`torchwhy {name}".strip() + "`", fenced(text))


def _schemas() -> Iterator[Section]:
    for path in sorted(Path(torchwhy.__file__).parent.rglob("*.schema.json")):
        text = json.dumps(json.loads(path.read_text("utf-8")), indent=2, ensure_ascii=False)
        name = path.name.removesuffix(".schema.json")
        yield Section(name, name, fenced(text, "json"))


def _example() -> str:
    about = "Names that stand without parentheses are properties or fields."
    return f"{about}\n\n{fenced(EXAMPLE.read_text('utf-8'), 'python')}"


def _python() -> Iterator[Section]:
    for name in torchwhy.__all__:
        thing = getattr(torchwhy, name)
        yield Section(name, f"`{name}`", _described(name, thing))
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for method, value in vars(thing).items():
                if not method.startswith("_") and isinstance(value, property | cached_property | type(_page)):
                    yield Section(f"{name}.{method}", f"`{name}.{method}`", _described(method, value), 3)
    yield Section(
        "fields", "What the fields of an Answer hold", "".join(_described(one.__name__, one) for one in HELD)
    )


def _described(name: str, thing: object) -> str:
    """A signature, where there is one that says something, and the docstring."""
    line = ""
    if isinstance(thing, property | cached_property):
        getter = thing.fget if isinstance(thing, property) else thing.func
        line = f"{name}: {inspect.signature(getter).return_annotation if getter else ''}  # a property"
    elif callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception)):
        line = name + ADDRESS.sub("", str(inspect.signature(thing)))
    return f"{fenced(line, 'python') if line else ''}\n{inspect.getdoc(thing) or ''}\n\n"
