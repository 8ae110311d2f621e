"""`torchwhy index`: build what is missing."""

from __future__ import annotations

import argparse

from torchwhy.cli.options import add_shared
from torchwhy.cli.output import print_json
from torchwhy.cli.setup import make_assistant

HELP = "build the index (--device cuda|cpu)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", help="where to embed: cuda, cuda:1, cpu (default: a GPU if there is one)")
    add_shared(parser, "json", "kb", "model", "no-vectors", maintained=True)


def run(args: argparse.Namespace) -> int:
    meta = make_assistant(args, device=args.device).build()
    if args.json:
        print_json({"schema": 1, **meta})
    else:
        passages = f"{meta['rows']} passages ({meta['embedded']} embedded now on {meta['device']})"
        print(f"{meta['entries']} entries, {passages}, model {meta['model']}\n{meta['folder']}")
    return 0
