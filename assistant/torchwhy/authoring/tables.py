"""Tables that several entries share: `kb/_tables/NAME.yaml`, each dated, with its sources and a test.

An entry that shows a table holds its lines in a ```` ```text ```` block; `torchwhy kb check` compares them,
so that a number is corrected in one place. The others name it: `torchwhy kb tables NAME`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from torchwhy.errors import KnowledgeError
from torchwhy.knowledge.entry import Pitfall, Problem, Source
from torchwhy.knowledge.files import read_text
from torchwhy.knowledge.texts import FENCED, SECTIONS, file_of
from torchwhy.text.language import LANGS, Bilingual
from torchwhy.text.plain import escaped
from torchwhy.text.width import width_of

FOLDER = "_tables"
MAX_DRAWN_CHARS = 1 << 20  # of a table whose cells are all as wide as its widest
GAP = 2  # spaces between columns
NAMED = re.compile(r"torchwhy kb tables ([a-z-]+)")


@dataclass(frozen=True, slots=True)
class Table:
    """One table. `shown_in`: the entries that hold its lines; `rows` as wide as `columns`."""

    name: str
    title: Bilingual
    date: str
    sources: tuple[Source, ...]
    shown_in: tuple[str, ...]
    columns: tuple[Bilingual, ...]
    rows: tuple[tuple[Bilingual, ...], ...]

    def lines(self, lang: str) -> list[str]:
        """The table as text, its columns padded to equal width."""
        cells = [
            [column[lang] for column in self.columns],
            *([cell[lang] for cell in row] for row in self.rows),
        ]
        widths = [max(map(width_of, column)) + GAP for column in zip(*cells, strict=True)]
        return [
            "".join(
                cell + " " * (wide - width_of(cell)) for cell, wide in zip(row, widths, strict=True)
            ).rstrip()
            for row in cells
        ]


@lru_cache(maxsize=8)
def load_tables(root: Path) -> Mapping[str, Table]:
    """The tables of a knowledge base by name; {} where it has none.

    Raises KnowledgeError for one that cannot be read.
    """
    import yaml

    from torchwhy.knowledge.schema import load_yaml

    tables = {}
    for path in sorted((root / FOLDER).glob("*.yaml")):
        try:
            tables[path.stem] = _table(path.stem, load_yaml(read_text(path)))
        except (yaml.YAMLError, OSError, ValueError, KeyError, TypeError) as error:
            reason = escaped(" ".join(str(error).split()))
            raise KnowledgeError(
                f"{FOLDER}/{escaped(path.name)}: the table cannot be read ({reason})"
            ) from error
    return tables


def _table(name: str, data: Mapping[str, Any]) -> Table:
    rows = tuple(tuple(map(_bilingual, row)) for row in data["rows"])
    columns = tuple(map(_bilingual, data["columns"]))
    if not data["sources"] or any(len(row) != len(columns) for row in rows):
        raise ValueError(f"{name}: a source, and rows as wide as the columns, are wanted")
    longest = max((len(cell[lang]) for row in (columns, *rows) for cell in row for lang in LANGS), default=0)
    if longest * len(columns) * len(rows) > MAX_DRAWN_CHARS:
        raise ValueError(f"{name}: drawn, it would take more than {MAX_DRAWN_CHARS:,} characters")
    sources = tuple(Source(url=source["url"], title=source["title"]) for source in data["sources"])
    return Table(
        name, _bilingual(data["title"]), str(data["date"]), sources, tuple(data["shown_in"]), columns, rows
    )


def _bilingual(cell: Any) -> Bilingual:
    if isinstance(cell, Mapping):
        return Bilingual(str(cell["en"]), str(cell["zh"]))
    return Bilingual(str(cell), str(cell))


def check_tables(entry: Pitfall) -> Iterator[Problem]:
    """A table that the entry is to show and does not hold as it stands, and the name of one that is none."""
    tables = load_tables(Path(entry.folder).parent.parent)
    for table in tables.values():
        if entry.id not in table.shown_in:
            continue
        for lang in LANGS:
            blocks = [
                found["code"]
                for section in SECTIONS
                for found in FENCED.finditer(getattr(entry, section)[lang])
            ]
            if "\n".join(table.lines(lang)) not in {block.strip("\n") for block in blocks}:
                wanted = f"a block ```text with the lines of `torchwhy kb tables {table.name} --lang {lang}`"
                yield Problem(file_of(entry), f"fix.{lang}", f"not the table {table.name}", wanted)
    for section in SECTIONS:
        for lang in LANGS:
            for name in NAMED.findall(getattr(entry, section)[lang]):
                if name not in tables:
                    wanted = f"one of {', '.join(tables) or 'none'}"
                    yield Problem(file_of(entry), f"{section}.{lang}", f"no table {name}", wanted)
