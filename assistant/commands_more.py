"""More subcommands: the whole knowledge base at once, and what is meant for others (a script, a bug report)."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from .cli import make_assistant, paste_of
from .errors import UsageError
from .language import choose
from .output import print_json, print_markdown


def confirm_all(args: argparse.Namespace) -> int:
    """`torchwhy confirm --all`: 0 if every entry that could run reproduces, else 1; 130 after Ctrl-C."""
    if not args.all:
        raise UsageError("give an entry's ID, or --all (which --into, --only and --stale belong to)")
    if args.id or args.paste:
        raise UsageError("--all takes neither an ID nor a paste; choose entries with --only ID ...")
    if args.jobs < 1:
        raise UsageError(f"--jobs {args.jobs}: wanted 1 or more")
    from .confirm_all import FINE, run_all

    assistant = make_assistant(args)
    only = {assistant.pitfall(id).id for id in args.only}
    of = "" if args.stale else f"/{len(only) or len(assistant.pitfalls)}"
    seen: Counter[str] = Counter()

    def on_done(id: str, row: dict[str, Any]) -> None:
        seen[row["verdict"]] += 1
        spent = f" {sum(row['seconds'].values()):.0f} s" if row["seconds"] else ""
        why = f": {row['reason'].splitlines()[0][:120]}" if row["reason"] else ""
        print(f"torchwhy: [{sum(seen.values())}{of}]{spent} {id}: {row['verdict']}{why}", file=sys.stderr, flush=True)

    run = run_all(
        list(assistant.pitfalls.values()), python=args.python, into=Path(args.into).resolve() if args.into else None, jobs=args.jobs, only=only,
        seconds=args.seconds, edited=args.edited, stale=args.stale, on_done=on_done,
    )  # fmt: skip
    if args.json:
        print_json(run.data)
    else:
        lines = [f"# torch {run.data['torch']} · {run.data['device']}", "\n".join(f"- {name}: {count}" for name, count in seen.most_common())]
        odd = [(id, run.data["entries"][id]) for id in sorted(run.done) if run.data["entries"][id]["verdict"] not in FINE]
        if odd:
            lines.append("\n".join(f"- **{id}**: {row['verdict']}: {row['reason'].splitlines()[0] if row['reason'] else ''}" for id, row in odd))
        print_markdown("\n\n".join(line for line in lines if line) + "\n")
    print(f"torchwhy: {run.path}", file=sys.stderr)
    if run.interrupted:
        print(f"torchwhy: interrupted; {len(run.done)} of {run.wanted} entries were kept", file=sys.stderr)
        return 130
    return 0 if all(run.data["entries"][id]["verdict"] in FINE for id in run.done) else 1


def run_repro(args: argparse.Namespace) -> int:
    from .report import standalone

    entry = make_assistant(args).pitfall(args.id)
    text = standalone(entry, choose(args.lang, ""))
    if args.json:
        print_json({"schema": 1, "id": entry.id, "script": text})
    else:
        sys.stdout.write(text)
    return 0


def run_report(args: argparse.Namespace) -> int:
    from . import environment
    from .report import report

    if not args.text and not args.file and sys.stdin.isatty():
        raise UsageError('give the error: torchwhy report "RuntimeError: ...", or -f FILE, or pipe it in')
    text = paste_of(args)
    assistant = make_assistant(args)
    answer = assistant.ask(text)
    result = None
    if args.confirm and answer.match is not None and answer.match.pitfall.repro:
        from .commands import confirm_with_progress

        result = confirm_with_progress(assistant, answer.match.id, text, args.python, None)
    probe = environment.probe(environment.find_python(args.python, text))
    written = report(answer, probe, result)
    if args.json:
        print_json({"schema": 1, "report": written})
    else:
        print_markdown(written)
    return 0 if answer.match is not None else 1


__all__ = ["confirm_all", "run_report", "run_repro"]
