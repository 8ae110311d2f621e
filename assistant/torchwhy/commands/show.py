"""`torchwhy show ID`: read an entry."""

from __future__ import annotations

import argparse

from torchwhy.cli.options import add_shared
from torchwhy.cli.output import print_json, print_markdown
from torchwhy.cli.setup import open_entries, page_lang

HELP = "read an entry"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id")
    add_shared(parser, "json", "lang", "kb")


def run(args: argparse.Namespace) -> int:
    from torchwhy.answers.markdown import entry_markdown
    from torchwhy.knowledge.entry import as_data
    from torchwhy.knowledge.site import page_of_entry

    entry = open_entries(args).pitfall(args.id)
    if args.json:
        data = as_data(entry)
        data.pop("folder")
        print_json({"schema": 1, **data, "page": page_of_entry(entry, page_lang(args))})
    else:
        print_markdown(entry_markdown(entry, page_lang(args)), page=True)
    return 0
