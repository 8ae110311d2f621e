"""`torchwhy eval FILE`: measure the ranking on labelled texts."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from torchwhy.cli.options import add_flags, add_shared
from torchwhy.cli.output import print_json, tell
from torchwhy.cli.setup import make_assistant

if TYPE_CHECKING:
    from torchwhy.api import Assistant

HELP = "measure the ranking on labelled texts"
MAX_TEXT_CHARS = 240  # of a text that went wrong


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file")
    add_flags(
        parser,
        ablate="every method, by language and kind",
        calibration="how sure against how right, and the risk at each coverage",
        errors="list the rows that went wrong",
    )
    parser.add_argument(
        "--predictions",
        metavar="FILE",
        help="torchwhy's cross-validated predictions (python -m torchwhy.lab.fit --predictions FILE)",
    )
    add_flags(
        parser,
        uncovered="count rows that no entry covers as texts that nothing should be answered to",
        coverage="of what is asked, how much an entry or a family covers, by area; what is said to the rest",
    )
    add_shared(parser, "json", "kb", "model", "no-vectors")


def run(args: argparse.Namespace) -> int:
    from torchwhy.lab import evaluate, table

    assistant = make_assistant(args)
    if args.coverage:
        return _coverage(args, assistant)
    rows, left_out = evaluate.usable(
        evaluate.load_rows(args.file), assistant.pitfalls, uncovered=args.uncovered
    )
    if left_out:
        print(
            f"torchwhy: {left_out} rows left out: their label is not in the knowledge base", file=sys.stderr
        )
    given = None
    if args.predictions:
        from torchwhy.lab.predictions import load_outcomes

        given = load_outcomes(args.predictions, rows)
    by_method = evaluate.compare(
        assistant.matcher,
        rows,
        ablate=args.ablate,
        given=given,
        progress=lambda name: tell(f"{name} ..."),
    )
    for note in assistant.notes:
        tell(note)
    if args.json:
        print_json({"schema": 1, "left_out": left_out, "methods": evaluate.as_json(rows, by_method)})
        return 0
    print(table.table(rows, by_method, ablate=args.ablate))
    if args.calibration:
        print(table.calibration(rows, by_method["torchwhy"]))
    if args.errors:
        for row, outcome in evaluate.wrong(rows, by_method["torchwhy"]):
            named = f"{outcome.family}: " if outcome.family else ""
            ids = outcome.members if outcome.family else outcome.ids
            ranked = f"{named}{', '.join(ids[:3])} p={outcome.probability:.2f} answered={outcome.answered}"
            text = " ".join(row.text.split())[:MAX_TEXT_CHARS]
            print(f"{row.label} [{row.lang} {row.kind}] -> {ranked}\n    {text}")
    return 0


def _coverage(args: argparse.Namespace, assistant: Assistant) -> int:
    from torchwhy.lab import coverage, evaluate

    rows = evaluate.load_rows(args.file)
    categories = {id: entry.category for id, entry in assistant.pitfalls.items()}
    texts = coverage.wanted(rows, categories, assistant.store.families)
    outcomes = evaluate.full(assistant.matcher, rows)
    for note in assistant.notes:
        tell(note)
    if args.json:
        print_json({"schema": 1, "coverage": coverage.as_json(texts, outcomes)})
    else:
        print(coverage.page(texts, outcomes))
    return 0
