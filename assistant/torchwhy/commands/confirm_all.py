"""`torchwhy confirm --all`: the whole knowledge base, with the evidence written down."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from torchwhy.cli.output import print_json, print_markdown, tell
from torchwhy.cli.setup import make_assistant
from torchwhy.errors import UsageError

if TYPE_CHECKING:
    from torchwhy.knowledge.recorded_proofs import ProofRow
    from torchwhy.proof.confirm_all import FullRun

MAX_REASON_CHARS = 120  # of a verdict's reason, in a line of progress


def confirm_all(args: argparse.Namespace) -> int:
    """0 if every entry that could run reproduces, else 1; 130 after Ctrl-C."""
    if args.id or args.paste:
        raise UsageError("--all takes neither an ID nor a paste; choose entries with --only ID ...")
    if args.jobs < 1:
        raise UsageError(f"--jobs {args.jobs}: wanted 1 or more")
    from torchwhy.proof.confirm_all import FINE, run_all
    from torchwhy.proof.trust import Consent

    assistant = make_assistant(args, lang=args.lang)
    only = {assistant.pitfall(id).id for id in args.only}
    total = "" if args.stale else f"/{len(only) or len(assistant.pitfalls)}"
    verdicts: Counter[str] = Counter()

    def on_done(id: str, row: ProofRow) -> None:
        verdicts[row["verdict"]] += 1
        spent = f" {sum(row['seconds'].values()):.0f} s" if row["seconds"] else ""
        why = f": {row['reason'].splitlines()[0][:MAX_REASON_CHARS]}" if row["reason"] else ""
        line = f"torchwhy: [{sum(verdicts.values())}{total}]{spent} {id}: {row['verdict']}{why}"
        print(line, file=sys.stderr, flush=True)

    run = run_all(
        list(assistant.pitfalls.values()),
        python=args.python,
        into=Path(args.into).resolve() if args.into else None,
        jobs=args.jobs,
        only=only,
        seconds=args.seconds,
        consent=Consent(args.edited, args.trust, args.mine),
        stale=args.stale,
        on_done=on_done,
    )
    odd = [id for id in sorted(run.done) if run.data["entries"][id]["verdict"] not in FINE]
    if args.json:
        print_json(run.data)
    else:
        print_markdown(summary(run, verdicts, odd))
    tell(run.path)
    if run.interrupted:
        tell(f"interrupted; {len(run.done)} of {run.wanted} entries were kept")
        return 130
    return 1 if odd else 0


def summary(run: FullRun, verdicts: Counter[str], odd: list[str]) -> str:
    """The run as Markdown: how many entries got which verdict, and the odd ones with their reasons."""
    parts = [
        f"# torch {run.data['torch']} · {run.data['device']}",
        "\n".join(f"- {name}: {count}" for name, count in verdicts.most_common()),
    ]
    lines = []
    for id in odd:
        row = run.data["entries"][id]
        lines.append(f"- **{id}**: {row['verdict']}: {next(iter(row['reason'].splitlines()), '')}")
    return "\n\n".join(part for part in (*parts, "\n".join(lines)) if part) + "\n"
