"""`torchwhy list`: the entries, by category and kind."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchwhy.cli.options import add_shared
from torchwhy.cli.output import print_json, print_rows
from torchwhy.cli.setup import open_entries, page_lang
from torchwhy.errors import UsageError
from torchwhy.text.plain import escaped

if TYPE_CHECKING:
    from torchwhy.knowledge.entry import Pitfall
    from torchwhy.runtime.json_types import JSONObject

HELP = "list the entries"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("of", nargs="?", metavar="CATEGORY", help="only the entries of this category")
    parser.add_argument("--category", help="the same, as an option")
    parser.add_argument("--kind", choices=("error", "warning", "silent"))
    add_shared(parser, "json", "lang", "kb")


def run(args: argparse.Namespace) -> int:
    pitfalls = open_entries(args).pitfalls
    if args.of and args.category:
        raise UsageError("give the category once")
    category = args.of or args.category
    entries = [
        entry
        for entry in pitfalls.values()
        if category in (None, entry.category) and args.kind in (None, entry.kind)
    ]
    if category and not entries:
        categories = ", ".join(sorted({entry.category for entry in pitfalls.values()}))
        raise UsageError(f"{escaped(category)}: no entries; categories: {categories}")
    entries.sort(key=lambda entry: (entry.category, entry.id))
    if args.json:
        print_json(as_json(entries))
    else:
        lang = page_lang(args)
        rows = [[entry.id, entry.category, entry.kind, entry.title[lang]] for entry in entries]
        print_rows(rows, page=True)
    return 0


def as_json(entries: Sequence[Pitfall]) -> JSONObject:
    """The entries without their texts, and how many there are of each category and kind."""
    rows = [
        {
            "id": entry.id,
            "category": entry.category,
            "kind": entry.kind,
            "effect": entry.effect,
            "title": {"en": entry.title.en, "zh": entry.title.zh},
            "repro": entry.repro is not None,
        }
        for entry in entries
    ]
    counts = {
        "category": dict(Counter(entry.category for entry in entries)),
        "kind": dict(Counter(entry.kind for entry in entries)),
    }
    return {"schema": 1, "entries": rows, "counts": counts, "total": len(rows)}
