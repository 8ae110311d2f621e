"""`torchwhy kb`: check a knowledge base, begin an entry, list the facts that entries may ask for."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchwhy.cli.options import add_flags, add_mine, add_shared, add_values
from torchwhy.cli.output import on_terminal, print_json, print_rows
from torchwhy.cli.setup import page_lang
from torchwhy.errors import UsageError
from torchwhy.runtime import locations, settings
from torchwhy.text.language import LANGS
from torchwhy.text.plain import escaped

if TYPE_CHECKING:
    from torchwhy.knowledge.entry import Problem

    from .kb_prove import Proved

HELP = "kb new CATEGORY/ID: begin an entry; kb check, kb prove: try entries; kb facts, tables: what they name"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="check|prove|new|facts|tables")

    def action(name: str, what: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = actions.add_parser(name, help=what, description=what)
        added.set_defaults(act=run)
        return added

    check = action("check", "every rule that can be checked without running a script", run_check)
    check.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a knowledge base, a category, an entry's folder or a file in it (default: everything)",
    )
    check.add_argument("--only", nargs="+", default=[], metavar="ID", help="of these only the named entries")
    check.add_argument("--kb", metavar="DIR", help="check against this knowledge base too (TORCHWHY_KB)")
    add_mine(check, "prove the lint.py files of your own knowledge base too, which runs them")
    add_shared(check, "json")

    text = "apply an entry's changes to broken programs and run them; writes kb/witness.json (in a checkout)"
    prove = action("prove", text, run_prove)
    prove.add_argument(
        "ids",
        nargs="*",
        metavar="ID",
        help="these entries, or programs (x.py) of tests/fixtures (default: all)",
    )
    add_flags(prove, show="print every change that was applied; write nothing")
    text = "run nothing: a row for each entry's mutants, of what the file says of them"
    prove.add_argument("--law", action="store_true", help=text)

    new = action("new", "copy the template to a folder of its own", run_new)
    new.add_argument(
        "name", metavar="CATEGORY/ID", help="the id names the mistake, such as shapes/my-pitfall"
    )
    add_values(new, kb=("DIR", "the knowledge base to add to (TORCHWHY_KB; in a checkout its kb)"))
    new.add_argument(
        "--from",
        dest="source",
        metavar="FINGERPRINT",
        help="begin with the message of an error that triage found",
    )
    new.add_argument("--triage", metavar="DIR", help="the data set (`torchwhy triage --out DIR`) of --from")
    new.add_argument(
        "--lang", choices=LANGS, help="begin a knowledge base whose texts stand in one language alone"
    )
    add_shared(new, "json")

    facts = action("facts", "the facts of a machine that entries may ask for", run_facts)
    add_shared(facts, "json", "lang")

    text = "a table that several entries share (drivers and wheels, layouts of layers, ...)"
    tables = action("tables", text, run_tables)
    tables.add_argument("name", nargs="?", metavar="NAME", help="the table (default: their names)")
    add_shared(tables, "json", "lang")


def run(args: argparse.Namespace) -> int:
    status: int = args.act(args)
    return status


def run_check(args: argparse.Namespace) -> int:
    """0 if no rule is broken, else 1."""
    from torchwhy.authoring.check import check
    from torchwhy.authoring.select import select
    from torchwhy.knowledge.load import load_documents
    from torchwhy.knowledge.roots import knowledge_roots

    selection = select(args.paths, args.only, knowledge_roots(args.kb))
    checked = check(selection.roots, load_documents(locations.documents()), selection.ids)
    checked = replace(
        checked, problems=(*checked.problems, *rule_problems(selection.roots, selection.ids, args.mine))
    )
    if args.json:
        rows = [
            {"file": problem.file, "field": problem.field, "found": problem.found, "wanted": problem.wanted}
            for problem in checked.problems
        ]
        print_json({"schema": 1, "entries": checked.entries, "rules": checked.rules, "problems": rows})
    else:
        for problem in checked.problems:
            print(problem)
        count = len(checked.problems)
        result = "no problems" if not count else "1 problem" if count == 1 else f"{count} problems"
        mark = " ✓" if not count and on_terminal() and not settings.NO_COLOR.read() else ""
        entries = "1 entry" if checked.entries == 1 else f"{checked.entries} entries"
        print(f"{entries}, {checked.rules} rules: {result}{mark}")
    return 1 if checked.problems else 0


def run_prove(args: argparse.Namespace) -> int:
    """0 if every change that was tried fixed its program, else 1."""
    from torchwhy.api import Assistant
    from torchwhy.authoring.faults import FAULTS_FILE
    from torchwhy.authoring.law import rows
    from torchwhy.knowledge.files import WITNESS_FILE

    from . import kb_prove

    base = locations.shipped("kb")
    if not (base.parent / kb_prove.HOSTS).is_dir():
        raise UsageError(
            "kb prove puts mistakes into the programs of tests/hosts: run it in a checkout of torchwhy"
        )
    folders = {path.parent.name: path.parent for path in base.glob("[!_.]*/*/pitfall.yaml")}
    written = kb_prove.broken_programs(base.parent)
    files = {each.name for each in written}
    for id in args.ids:
        if id not in folders and id not in files:
            raise UsageError(f"{escaped(id)}: no such entry, and no broken program in tests/fixtures")
    path = base / WITNESS_FILE
    witness = json.loads(path.read_text("utf-8")) if path.exists() else {}
    if args.law:
        print_rows(rows(witness, args.ids))
        return 0
    known = {entry: each["changes"] for entry, each in witness.items()}
    mutants = ("mutants", "answered")
    answered = {
        entry: {name: each["law"][name] for name in mutants}
        for entry, each in witness.items()
        if "law" in each and (folders[entry] / FAULTS_FILE).exists()
    }
    ids = [id for id in args.ids if id in folders] if args.ids else sorted(folders)
    programs = [each for id in ids for each in kb_prove.mutants(base.parent, folders[id])]
    named = {
        name
        for id in ids
        for forms in known.get(id, {}).values()
        for names in forms.values()
        for name in names
    }
    for gone in named - {each.name for each in (*programs, *written)}:
        entry, mutant, _ = gone.partition("/")
        if not mutant or entry in ids or entry not in folders:  # a file that went, or a fault
            kb_prove.remember(known, gone, ())
    programs += [each for each in written if not args.ids or each.name in {*named, *args.ids}]
    failed, proved = 0, []
    for each in kb_prove.prove(Assistant(lang="en"), programs):
        proved.append(each)
        failed += sum(not tried.fixed for tried in each.tried)
        _print_proved(each, args.show)
        kb_prove.remember(known, each.program.name, each.tried)
    if not args.show:
        answered |= kb_prove.tally(proved)
        path.write_text(kb_prove.as_text(kb_prove.witness_of(known, answered)), "utf-8")
    return 1 if failed else 0


def _print_proved(proved: Proved, show: bool) -> None:
    name, answered, tried = proved.program.name, proved.answered, proved.tried
    for each in tried:
        mark = "fixed" if each.fixed else f"NOT FIXED: {each.said}"
        print(f"{name}: {each.entry}, {each.form}: {mark}", flush=True)
        if show or not each.fixed:
            print("    " + each.shown.replace("\n", "\n    "))
    if show and not tried:
        print(f"{name}: {'does not fail' if answered is None else answered or 'no entry'}, nothing to apply")


def rule_problems(roots: Sequence[Path], ids: Collection[str] | None, mine: bool) -> list[Problem]:
    """What is wrong with the lint.py of these entries (kb/README.md: What shows in the source), which runs
    them; those of a knowledge base of one's own only where the user wrote them (`mine`).
    """
    from torchwhy.errors import UntrustedScriptError
    from torchwhy.knowledge.entry import Problem
    from torchwhy.knowledge.files import read_bytes
    from torchwhy.lint.rule import rule_files
    from torchwhy.lint.rule_proof import problems_of
    from torchwhy.proof.trust import Consent, foreign

    shipped = locations.shipped("kb").resolve()
    problems = []
    for path in rule_files(roots):
        if ids is not None and path.parent.name not in ids:
            continue
        real = path.resolve()  # what runs is what was looked at: a link may be exchanged
        try:
            if real.is_relative_to(shipped):
                found = problems_of(real)
            else:
                permit = foreign(str(path), read_bytes(path), Consent(mine=mine))
                found = problems_of(path, permit.sha256)
        except UntrustedScriptError:
            found = [("a lint.py that did not come with torchwhy", "--mine, if you wrote it, which runs it")]
        except OSError as error:  # a pipe, a file of somebody else
            why = getattr(error, "found", None) or error.strerror or str(error)
            found = [(escaped(why), "a readable file")]
        problems += [Problem(str(path), "lint.py", what, wanted) for what, wanted in found]
    return problems


def run_new(args: argparse.Namespace) -> int:
    """Make the folder and say what comes next."""
    from torchwhy.authoring.create import create_entry, shown_path
    from torchwhy.knowledge.roots import knowledge_roots

    named = args.kb or settings.KB.read().split(os.pathsep)[0]
    base = (locations.expanded(named) if named else locations.shipped("kb")).resolve()
    if locations.is_installation(base):
        raise UsageError(
            "an installation is no place for entries of your own: name a folder of yours, as in"
            f" torchwhy kb new {escaped(args.name)} --kb my-kb"
        )
    roots = knowledge_roots(None)
    if base not in roots and base.is_dir():
        roots.append(base)
    message = _message_to_begin_with(args)
    folder = create_entry(args.name, base, roots, args.lang)
    if message is not None:
        from torchwhy.triaging.teach import prefill

        prefill(folder, message)
    path = shown_path(folder)
    own = f" --kb {shown_path(base)}" if args.kb and base not in knowledge_roots(None) else ""
    yes = "" if base == locations.shipped("kb").resolve() else " --mine"
    commands = [f"torchwhy kb check {path}", f"torchwhy confirm {folder.name}{own}{yes}"]
    if args.json:
        print_json({"schema": 1, "folder": str(folder), "next": commands})
    else:
        print(f"{path}: edit its files, then")
        for command in commands:
            print(f"  {command}")
    return 0


def _message_to_begin_with(args: argparse.Namespace) -> str | None:
    """The message of --from. Raises UsageError where it is not in the data set."""
    if bool(args.source) != bool(args.triage):
        raise UsageError("--from FINGERPRINT and --triage DIR go together")
    if not args.source:
        return None
    from torchwhy.triaging.parts import Folder
    from torchwhy.triaging.teach import message_of

    return message_of(Folder(args.triage, make=False), args.source)


def run_tables(args: argparse.Namespace) -> int:
    """A table with its date and sources, or the names of all."""
    from torchwhy.authoring.tables import load_tables

    tables = load_tables(locations.shipped("kb"))
    lang = page_lang(args)
    if args.name is None:
        rows = [[table.name, table.title[lang]] for table in tables.values()]
        if args.json:
            print_json({"schema": 1, "tables": [row[0] for row in rows]})
        else:
            print_rows(rows)
        return 0
    if args.name not in tables:
        raise UsageError(f"{args.name}: no such table; there are {', '.join(tables)}")
    table = tables[args.name]
    if args.json:
        columns = [column[lang] for column in table.columns]
        found = [[cell[lang] for cell in row] for row in table.rows]
        print_json({"schema": 1, "name": table.name, "date": table.date, "columns": columns, "rows": found})
    else:
        sources = [f"{source.title}: {source.url}" for source in table.sources]
        print("\n".join([f"{table.title[lang]} ({table.date})", "", *table.lines(lang), "", *sources]))
    return 0


def run_facts(args: argparse.Namespace) -> int:
    """Name and meaning of each fact."""
    from torchwhy.knowledge.vocabulary import FACT_NAMES

    if args.json:
        rows = [{"name": name, "en": text.en, "zh": text.zh} for name, text in FACT_NAMES.items()]
        print_json({"schema": 1, "facts": rows})
    else:
        lang = page_lang(args)
        print_rows([[name, text[lang]] for name, text in FACT_NAMES.items()])
    return 0
