"""The subcommands. Each takes the parsed arguments and returns an exit status."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from .cli import make_assistant
from .confirm_types import Confirmation
from .language import choose
from .output import on_terminal, print_json, print_markdown, print_rows


def _lang(args: argparse.Namespace) -> str:
    return choose(args.lang, "")


def run_list(args: argparse.Namespace) -> int:
    assistant = make_assistant(args)
    lang = _lang(args)
    entries = [entry for entry in assistant.pitfalls.values() if args.category in (None, entry.category) and args.kind in (None, entry.kind)]
    if args.category and not entries:
        from .errors import UsageError

        known = sorted({entry.category for entry in assistant.pitfalls.values()})
        raise UsageError(f"--category {args.category}: no entries; categories: {', '.join(known)}")
    entries.sort(key=lambda entry: (entry.category, entry.id))
    if args.json:
        counts: dict[str, dict[str, int]] = {"category": {}, "kind": {}}
        for entry in entries:
            for name in counts:
                counts[name][getattr(entry, name)] = counts[name].get(getattr(entry, name), 0) + 1
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
        print_json({"schema": 1, "entries": rows, "counts": counts, "total": len(rows)})
    else:
        print_rows([[entry.id, entry.category, entry.kind, entry.title[lang]] for entry in entries], page=True)
    return 0


def run_show(args: argparse.Namespace) -> int:
    import dataclasses

    from .render import entry_markdown

    entry = make_assistant(args).pitfall(args.id)
    if args.json:
        data = dataclasses.asdict(entry)
        data.pop("folder")
        print_json({"schema": 1, **data})
    else:
        print_markdown(entry_markdown(entry, _lang(args)), page=True)
    return 0


def confirmation_json(result: Confirmation) -> dict[str, Any]:
    """As confirmation.schema.json documents it."""
    legs = [
        {
            "name": leg.name, "shows": leg.shows, "status": leg.status, "seconds": round(leg.seconds, 2), "message": leg.message,
            "signature": leg.signature, "numbers": leg.numbers, "reason": leg.reason, "output": leg.output[-4000:],
        }
        for leg in result.legs
    ]  # fmt: skip
    diagnosis = result.diagnosis.match.id if result.diagnosis is not None and result.diagnosis.match else None
    return {
        "schema": 1, "id": result.id, "verdict": result.verdict, "exit_status": result.exit_status, "reason": result.reason, "python": result.python,
        "chosen": result.chosen, "missed": list(result.missed), "torch": result.torch, "cuda": result.cuda, "device": result.device,
        "message": result.message, "paste_signature": result.paste_signature, "legs": legs, "diagnosis": diagnosis,
    }  # fmt: skip


def confirm_with_progress(assistant: Any, id: str, paste: str | None, python: str | None, seconds: float | None, edited: bool = False) -> Confirmation:
    live = sys.stderr.isatty()

    def on_event(kind: str, text: str) -> None:
        if kind == "leg":
            print(f"torchwhy: running the {text} leg of {id} ...", file=sys.stderr, flush=True)
        elif live:
            print(f"  | {text[:200]}", file=sys.stderr, flush=True)

    result: Confirmation = assistant.confirm(id, paste, python=python, seconds=seconds, on_event=on_event, edited=edited)
    return result


def run_confirm(args: argparse.Namespace) -> int:
    from .reading import read_path
    from .verdict import confirmation_markdown

    if args.all or args.only or args.stale or args.into or args.id is None:
        from .commands_more import confirm_all

        return confirm_all(args)
    assistant = make_assistant(args)
    entry = assistant.pitfall(args.id)
    paste = read_path(args.paste) if args.paste else None
    result = confirm_with_progress(assistant, entry.id, paste, args.python, args.seconds, args.edited)
    if args.json:
        print_json(confirmation_json(result))
    else:
        print_markdown(confirmation_markdown(result, entry, choose(args.lang, paste or ""), paste))
    return result.exit_status


def run_index(args: argparse.Namespace) -> int:
    assistant = make_assistant(args, device=args.device)
    meta = assistant.build()
    if args.json:
        print_json({"schema": 1, **meta})
    else:
        print(
            f"{meta['entries']} entries, {meta['rows']} passages ({meta['embedded']} embedded now on {meta['device']}), model {meta['model']}\n{meta['folder']}"
        )
    return 0


def run_machine(args: argparse.Namespace) -> int:
    from .errors import UsageError
    from .render import machine_markdown

    if args.report:
        from .collect_env import facts_in
        from .reading import read_path

        if args.python or args.full:
            raise UsageError("--report reads another machine's report; --python and --full ask this one")
        found = facts_in(read_path(args.report))
        if found is None:
            raise UsageError(f"{args.report}: no report of python -m torch.utils.collect_env in it")
        facts = found
    else:
        from .machine import gather

        facts = gather(python=args.python, full=args.full)
    if args.json:
        print_json(facts.as_json())
    else:
        print_markdown(machine_markdown(facts, _lang(args)), page=True)
    return 0


def run_eval(args: argparse.Namespace) -> int:
    from . import evaluate, evaluate_table

    assistant = make_assistant(args)
    rows, left_out = evaluate.usable(evaluate.load_rows(args.file), assistant.pitfalls)
    if left_out:
        print(f"torchwhy: {left_out} rows left out: their label is not in the knowledge base", file=sys.stderr)
    given = None
    if args.predictions:
        from .predictions import load_outcomes

        given = load_outcomes(args.predictions, rows)
    by_method = evaluate.compare(
        assistant.matcher, rows, ablate=args.ablate, given=given, progress=lambda name: print(f"torchwhy: {name} ...", file=sys.stderr)
    )
    for note in assistant.notes:
        print(f"torchwhy: {note}", file=sys.stderr)
    if args.picture:
        from .evaluate_picture import write

        write(args.picture, rows, by_method)
    if args.json:
        print_json({"schema": 1, "left_out": left_out, "methods": evaluate.as_json(rows, by_method)})
    else:
        print(evaluate_table.table(rows, by_method, ablate=args.ablate))
        if args.errors:
            for row, out in evaluate.wrong(rows, by_method["torchwhy"]):
                shown = " ".join(row.text.split())
                print(f"{row.label} [{row.lang} {row.kind}] -> {', '.join(out.ids[:3])} p={out.probability:.2f} answered={out.answered}\n    {shown[:240]}")
    return 0


def run_kb(args: argparse.Namespace) -> int:
    from pathlib import Path

    from . import kbcheck, knowledge, locations
    from .errors import UsageError
    from .facts import FACT_NAMES

    if args.action == "facts":
        print_rows([[name, text[_lang(args)]] for name, text in FACT_NAMES.items()])
        return 0
    if args.action == "hashes":
        from . import hashes

        print(f"{hashes.write(make_assistant(args).pitfalls.values())} scripts noted in {hashes.hashes_file()}")
        return 0
    if args.dir and not Path(args.dir).is_dir():
        raise UsageError(f"{args.dir}: no such folder")
    roots = locations.knowledge_roots(args.dir or args.kb)
    problems = kbcheck.check(roots, knowledge.load_documents(locations.documents()), args.only)
    if args.json:
        print_json({"schema": 1, "problems": [{"file": p.file, "field": p.field, "found": p.found, "wanted": p.wanted} for p in problems]})
    else:
        for problem in problems:
            print(problem)
        if not problems:
            print("no problems" if not on_terminal() or os.environ.get("NO_COLOR") else "no problems ✓")
    return 1 if problems else 0


def run_chat(args: argparse.Namespace) -> int:
    from .commands_web import refuse_without_web, run_web
    from .errors import UsageError

    if args.web:
        return run_web(args)
    refuse_without_web(args)
    if args.json:
        raise UsageError("chat draws on a terminal and has no --json; ask without chat")
    if not sys.stdout.isatty():
        raise UsageError("chat needs a terminal; without one, ask: torchwhy -f log.txt")
    piped = None
    try:
        if not sys.stdin.isatty():
            piped = os.fdopen(os.dup(0), "rb")
            _to_terminal(0)
        if not sys.stderr.isatty():  # the screen is drawn on stderr
            _to_terminal(2)
    except OSError as error:
        raise UsageError(f"chat needs a terminal of its own ({error.strerror}); without one, ask: torchwhy -f log.txt") from error
    for stale in ("LINES", "COLUMNS"):  # exported by an earlier terminal, they would be believed before the terminal itself
        os.environ.pop(stale, None)
    from .tui.app import ChatApp, Options

    app = ChatApp(Options(args.kb, args.model, args.lang, not args.no_vectors, piped, args.machine))
    app.run()
    return app.return_code or 0


def _to_terminal(descriptor: int) -> None:
    """Make a standard stream the terminal that the program was started from. Raises OSError where there is none."""
    terminal = os.open("/dev/tty", os.O_RDWR)
    os.dup2(terminal, descriptor)
    os.close(terminal)
