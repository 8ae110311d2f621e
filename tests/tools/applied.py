"""Apply what an answer would change to broken programs, run them, and write down which changes fixed them.

    python -m tests.tools.applied                  # every program of tests/fixtures/applied and tests/fixtures/broken
    python -m tests.tools.applied NAME ...         # only these; the rest of kb/witness.json stays
    python -m tests.tools.applied --show NAME ...  # what was applied, and what the program then said

A program fails with a message of torch, and ends with an oracle: asserts, and `print("OK")`. Its change is tried
as an edit, where it is one, and as code, where the program marks the lines that the code takes the place of:

    # code:
    x = x.view(2, -1)
    # end

Whatever the change, the program then has to end well and to print OK. `kb/witness.json` keeps, by entry and by
the digest of the change, which programs it fixed in which form ("edit", "code"), or, of a form that failed for one
program at least, which those were ("not edit", "not code"); an answer shows as *Change* only what fixed all.
A program without an oracle can only speak against a change: that it still crashes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.conftest import ROOT
from torchwhy import Assistant
from torchwhy.answers import build
from torchwhy.answers.answer import Answer, Match
from torchwhy.answers.change import Change, change_of
from torchwhy.answers.own_source import read_source
from torchwhy.knowledge.entry import FORMS
from torchwhy.knowledge.entry import Change as Template
from torchwhy.knowledge.files import WITNESS_FILE
from torchwhy.knowledge.witness import digest_of_change
from torchwhy.paste.place import own_frames
from torchwhy.run.crashes import find_here, read_records
from torchwhy.run.environment import child_environment

FOLDERS = ("tests/fixtures/applied", "tests/fixtures/broken", "tests/fixtures/programs")
ORACLE = 'print("OK")'
MARKED = re.compile(r"^( *)# code:\n(.*?)^ *# end\n", re.MULTILINE | re.DOTALL)
TIMEOUT_S = 300  # of a machine that does much else


class Tried(NamedTuple):
    """One change of one program: `digest` of the template, and whether the program then ended well."""

    entry: str
    digest: str
    form: str
    fixed: bool
    shown: str
    said: str


def run(folder: Path, name: str, records: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    if records is not None:
        env = child_environment(env, str(records))
    return subprocess.run(
        [sys.executable, name],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def tried(assistant: Assistant, program: Path) -> Iterator[Tried]:
    """Every change that the answer's entry has for this crash, applied; none where no entry answers."""
    with tempfile.TemporaryDirectory() as place:
        folder, records = Path(place), Path(place) / "records"
        records.mkdir()
        text = program.read_text("utf-8")
        (folder / program.name).write_text(text, "utf-8")
        was = Path.cwd()
        os.chdir(folder)  # a traceback names the program by what stands in the command
        try:
            broken = run(folder, program.name, records)
            if broken.returncode == 0:
                raise SystemExit(f"{program.name} does not fail")
            answer = answer_of(assistant, broken.stderr, records)
            if answer.match is None:
                return
            for template, form, change in first_changes(answer, answer.match):
                fixed = applied(text, change, form)
                if fixed is None:
                    continue
                (folder / program.name).write_text(fixed, "utf-8")
                after = run(folder, program.name)
                if after.returncode == 0 and ORACLE not in text:
                    continue
                good = after.returncode == 0 and after.stdout.rstrip().endswith("OK")
                shown = f"- {change.before}\n+ {change.after}" if form == "edit" else change.code
                said = (after.stderr.strip().splitlines() or [""])[-1]
                yield Tried(answer.match.id, digest_of_change(template), form, good, shown, said)
        finally:
            os.chdir(was)


def answer_of(assistant: Assistant, text: str, records: Path) -> Answer:
    answer = assistant.ask(text, source=True)
    here = find_here(read_records(str(records)), answer.paste)
    return assistant.ask(text, source=True, operands=here.operands if here else ())


def first_changes(answer: Answer, match: Match) -> Iterator[tuple[Template, str, Change]]:
    """The template that this crash would be shown, in each form that it has here."""
    for form in FORMS:
        for template in match.changes:
            change = filled(answer, match, template._replace(applied=(form,)))
            if change is None:
                continue
            if not change.usual and (form == "code" or change.after):
                yield template, form, change
            break


def filled(answer: Answer, match: Match, template: Template) -> Change | None:
    here = answer.here
    source = read_source(here) if here is not None else None
    frames = own_frames(answer.paste)
    values = {**answer.line, **dict(match.values), **build.caller_of(answer.paste)}
    caller = frames[1] if len(frames) > 1 else None
    return change_of((template,), values, answer.lang, here, source, answer.facts, caller, answer.origins)


def applied(text: str, change: Change, form: str) -> str | None:
    """The program with the change; None where the program has no place for it."""
    if form == "edit":
        lines = text.splitlines(keepends=True)
        line = lines[(change.line or 1) - 1]
        assert line.strip() == change.before, (line, change.before)
        lines[(change.line or 1) - 1] = line.replace(change.before, change.after)
        return "".join(lines)
    found = MARKED.search(text)
    if found is None or not change.code:
        return None
    code = "".join(f"{found[1]}{line}\n" for line in change.code.splitlines())
    return text[: found.start()] + code + text[found.end() :]


Seen = dict[str, dict[str, dict[str, list[str]]]]


def remember(known: Seen, program: str, results: list[Tried]) -> None:
    """Write into `known` what one program showed, in the place of what it showed before."""
    for digests in known.values():
        for forms in digests.values():
            for names in forms.values():
                if program in names:
                    names.remove(program)
    for each in results:
        forms = known.setdefault(each.entry, {}).setdefault(each.digest, {})
        forms.setdefault(each.form if each.fixed else f"not {each.form}", []).append(program)


def as_text(known: Seen) -> str:
    """The file: a form that failed for one program has no witness, however many it fixed."""
    kept: Seen = {}
    for entry, digests in sorted(known.items()):
        for digest, forms in sorted(digests.items()):
            left = {
                form: sorted(names)
                for form, names in sorted(forms.items())
                if names and not forms.get(f"not {form}")
            }
            if left:
                kept.setdefault(entry, {})[digest] = left
    return json.dumps(kept, indent=1) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="programs without .py; all of them where none is given")
    parser.add_argument("--show", action="store_true", help="print what was applied; write nothing")
    args = parser.parse_args()
    programs = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.py"))]
    chosen = [path for path in programs if not args.names or path.stem in args.names]
    path = ROOT / "kb" / WITNESS_FILE
    known = json.loads(path.read_text("utf-8")) if args.names and path.exists() else {}
    assistant = Assistant(lang="en")
    for program in chosen:
        results = []
        for each in tried(assistant, program):
            results.append(each)
            mark = "fixed" if each.fixed else f"NOT FIXED: {each.said}"
            print(f"{program.stem}: {each.entry}, {each.form}: {mark}", flush=True)
            if args.show or not each.fixed:
                print("    " + each.shown.replace("\n", "\n    "))
        remember(known, program.name, results)
    if not args.show:
        path.write_text(as_text(known), "utf-8")


if __name__ == "__main__":
    main()
