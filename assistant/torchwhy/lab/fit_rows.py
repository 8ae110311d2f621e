"""The options of `python -m torchwhy.lab.fit`, and the rows that it fits on."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .evaluate import LabelledText, load_rows, usable
from .gate import trained_half


def parser(description: str | None) -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(prog="python -m torchwhy.lab.fit", description=description)
    options.add_argument("files", nargs="+")
    options.add_argument(
        "--collected",
        nargs="*",
        default=[],
        metavar="FILE",
        help="files of data/training, of which the half counts that the gate was not trained on",
    )
    options.add_argument("--dry-run", action="store_true", help="measure, leave ranking.json as it is")
    options.add_argument(
        "--predictions",
        metavar="FILE",
        help="write each row's cross-validated prediction, for `torchwhy eval --ablate`",
    )
    options.add_argument(
        "--uncovered",
        action="store_true",
        help="count rows that no entry covers as texts that nothing should be answered to",
    )
    return options


def named_rows(args: argparse.Namespace, ids: Sequence[str]) -> list[tuple[str, LabelledText]]:
    """Every row with its file; of collected ones those that the gate was not trained on."""
    named = [
        (name, row)
        for name in args.files
        for row in usable(load_rows(name), ids, uncovered=args.uncovered)[0]
    ]
    named += [
        (name, row)
        for name in args.collected
        for row in usable(load_rows(name), ids)[0]
        if not trained_half(row.text)
    ]
    return named
