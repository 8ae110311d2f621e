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
from html import escape
from pathlib import Path
from unittest import mock

import torchwhy
from torchwhy.answers.answer import FamilyMatch
from torchwhy.answers.change import Change
from torchwhy.answers.own_error import PythonError
from torchwhy.cli.arguments import command_parser, question_parser
from torchwhy.cli.options import Parser
from torchwhy.extend import COMMANDS
from torchwhy.paste.place import Package, UserFrame
from torchwhy.runtime.settings import markdown_table

from .phrases import say
from .prose import code_html, markdown_html
from .record import RECORDED
from .render import LANGS, Group, Item, Page, list_page

HELP_COLUMNS = "96"
PACKAGE = Path(torchwhy.__file__).parent
EXAMPLE = (RECORDED / "example.py").read_text("utf-8")
HELD = (
    Change,
    UserFrame,
    Package,
    FamilyMatch,
    PythonError,
)  # types of public fields that have no public name
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def reference_pages() -> Iterator[Page]:
    """The pages of the reference, which are English, and a list of them in each language."""
    pages = [_commands(), _settings(), _python(), _json()]
    for lang in LANGS:
        items = [
            Item(page.path, say(key, lang), say("english_only", lang), english=True)
            for key, page in zip(("commands", "settings", "python_api", "json_forms"), pages, strict=True)
        ]
        title = say("reference", lang)
        yield list_page("reference/", lang, title, [Group("all", title, items)])
    yield from pages


def _page(name: str, key: str, description: str, parts: list[str]) -> Page:
    title = say(key, "en")
    content = f"<article>\n<h1>{title}</h1>\n<p>{escape(description)}</p>\n{''.join(parts)}</article>"
    return Page(f"reference/{name}/", "en", title, description, content, both=False)


def command_helps() -> dict[str, str]:
    """What `--help` prints, by command; the question itself is ""."""
    with mock.patch.dict(os.environ, COLUMNS=HELP_COLUMNS):  # at which argparse folds its lines
        helps = {"": question_parser().format_help(), "(a question)": question_parser(Parser).format_help()}
        for name, command in COMMANDS.items():
            helps[name] = command_parser(name, command).format_help()
    return helps


def _commands() -> Page:
    parts = []
    for name, text in command_helps().items():
        title = f"torchwhy {name}".strip()
        parts.append(f'<h2 id="{name or "torchwhy"}"><code>{title}</code></h2>\n{code_html(text)}')
    return _page("commands", "commands", "Every command as its --help prints it.", parts)


def _settings() -> Page:
    table = markdown_html(markdown_table())
    return _page("settings", "settings", "What torchwhy reads from the environment.", [table])


def _python() -> Page:
    about = "<p>Names that stand without parentheses are properties or fields.</p>\n"
    parts = [about + code_html(EXAMPLE, "python")]
    for name in torchwhy.__all__:
        thing = getattr(torchwhy, name)
        parts.append(f'<h2 id="{name}"><code>{name}</code></h2>\n{_described(name, thing)}')
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for method, value in vars(thing).items():
                if method.startswith("_"):
                    continue
                title = f"{name}.{method}"
                heading = f'<h3 id="{title}"><code>{title}</code></h3>\n'
                if isinstance(value, property | cached_property):
                    parts.append(heading + _property(method, value))
                elif inspect.isfunction(value):
                    parts.append(heading + _described(method, value))
    parts.append('<h2 id="fields">What the fields of an Answer hold</h2>\n')
    parts += [_described(held.__name__, held) for held in HELD]
    return _page("python", "python_api", "The public names of the package, from their docstrings.", parts)


def _described(name: str, thing: object) -> str:
    """A signature, where there is one that says something, and the docstring."""
    signature = ""
    if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception)):
        signature = ADDRESS.sub("", str(inspect.signature(thing)))
    text = inspect.getdoc(thing) or ""
    return (code_html(name + signature, "python") if signature else "") + _paragraphs(text)


def _property(name: str, value: property | cached_property[object]) -> str:
    """A property with the type that it has."""
    getter = value.fget if isinstance(value, property) else value.func
    kind = str(inspect.signature(getter).return_annotation) if getter else ""
    return code_html(f"{name}: {kind}  # a property", "python") + _paragraphs(inspect.getdoc(getter) or "")


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(part)}</p>\n" for part in text.split("\n\n") if part)


def _json() -> Page:
    example = (
        '<p>A script that reads an answer: <a href="@/guides/agents/#as-a-program">As a program</a>.</p>\n'
    )
    parts = [example]
    for path in sorted(PACKAGE.rglob("*.schema.json")):
        text = json.dumps(json.loads(path.read_text("utf-8")), indent=2, ensure_ascii=False)
        name = path.name.removesuffix(".schema.json")
        parts.append(f'<h2 id="{name}">{name}</h2>\n{code_html(text, "json")}')
    description = (
        "The JSON forms that --json prints; the number `schema` counts up when a field changes its meaning."
    )
    return _page("json", "json_forms", description, parts)
