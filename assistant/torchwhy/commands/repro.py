"""`torchwhy repro ID`: print an entry's script."""

from __future__ import annotations

import argparse
import sys

from torchwhy.cli.options import add_shared
from torchwhy.cli.output import encodable_here, on_terminal, print_json
from torchwhy.cli.setup import open_entries, page_lang
from torchwhy.text.plain import written_out

HELP = "print an entry's script, to run it without this tool"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id")
    add_shared(parser, "json", "lang", "kb")


def run(args: argparse.Namespace) -> int:
    from torchwhy.proof.report import standalone

    entry = open_entries(args).pitfall(args.id)
    text = standalone(entry, page_lang(args))
    if args.json:
        print_json({"schema": 1, "id": entry.id, "script": text})
    elif on_terminal():  # somebody reads it, perhaps to say yes to it: nothing in it may act or hide
        sys.stdout.write(encodable_here(written_out(text)))
    else:
        sys.stdout.write(text)
    return 0
