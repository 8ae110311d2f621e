"""`torchwhy kb prove`: apply the changes of answers to broken programs, run them, and keep which fixed them.

A broken program is a mutant (a host of `tests/hosts` into which an entry's `faults.py` put its mistake) or
one that was written broken (`tests/fixtures`). It fails with the entry's message; the change of the answer is
tried as an edit, where it is one, and as code, where the program marks the lines that the code replaces:

    # code:
    x = x.view(2, -1)
    # end

Then it has to end as it should: a mutant prints what its healthy host prints, another program ends with OK.
`kb/witness.json` keeps, by entry and by the digest of the change, which programs it fixed in which form
("edit", "code"), or, of a form that failed for one program at least, which those were ("not edit", "not
code"): an answer shows as *Change* only what fixed all, and an edit only where the law of
`torchwhy.authoring.law` holds. Nothing but this writes the file.
"""

from __future__ import annotations

import functools
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from torchwhy.answers import build
from torchwhy.answers.answer import Answer, Match
from torchwhy.answers.change import Change
from torchwhy.api import Assistant
from torchwhy.authoring.faults import FAULTS_FILE, mutants_of, read_hosts
from torchwhy.authoring.law import NO_ENTRY, Answered, Seen, count
from torchwhy.knowledge.entry import FORMS
from torchwhy.knowledge.entry import ChangeTemplate as Template
from torchwhy.knowledge.witness import digest_of_change
from torchwhy.paste.parse import parse
from torchwhy.run.crashes import find_frame, read_records
from torchwhy.run.environment import child_environment
from torchwhy.runtime import locations
from torchwhy.source.rewrite import edited, line_edit

ORACLE = 'print("OK")'
MARKED = re.compile(r"^( *)# code:\n(.*?)^ *# end\n", re.MULTILINE | re.DOTALL)
TIMEOUT_S = 300  # of a machine that does much else
SERVER = (
    "tests/support/torch_server.py"  # forked for each mutant: an import of torch takes longer than a host
)
HOSTS, BROKEN = "tests/hosts", ("tests/fixtures/applied", "tests/fixtures/broken", "tests/fixtures/programs")
CLOSE = 2e-3  # how far a figure may lie from the healthy program's, of its size
MAX_MUTANTS = 24  # of one entry, spread over the hosts
WORKERS = 2


class Program(NamedTuple):
    """A broken program, and what it prints when it is fixed (None: it ends with OK, or has no oracle).

    A mutant is named by its entry, its host and a number.
    """

    name: str
    text: str
    healthy: str | None = None


class TriedChange(NamedTuple):
    """One change of one program: the template's digest, and whether the program then ended as it should."""

    entry: str
    digest: str
    form: str
    fixed: bool
    shown: str
    said: str


class Proved(NamedTuple):
    """What was tried on one program.

    `answered`: the entry of its message, "" where none has it, None where the program does not fail.
    """

    program: Program
    answered: str | None
    tried: tuple[TriedChange, ...]


def host_of(program: Program) -> str:
    """The host of a mutant; "" of another program."""
    return program.name.split("/")[1] if "/" in program.name else ""


def broken_programs(checkout: Path) -> list[Program]:
    """The programs that were written broken, by name."""
    files = [path for folder in BROKEN for path in sorted((checkout / folder).glob("*.py"))]
    return [Program(path.name, path.read_text("utf-8")) for path in files]


def mutants(checkout: Path, entry: Path) -> list[Program]:
    """The mutants of an entry that has a `faults.py`, at most MAX_MUTANTS: of each host in turn, from another
    place of its list each time, so that all mistakes come up.
    """
    if not (entry / FAULTS_FILE).is_file():
        return []
    hosts = read_hosts(checkout / HOSTS)
    by_host: dict[str, list[tuple[str, str]]] = {}
    for name, text in mutants_of(entry, hosts):
        by_host.setdefault(name.partition("/")[0], []).append((name, text))
    for turn, made in enumerate(by_host.values()):
        made[:] = made[turn % len(made) :] + made[: turn % len(made)]
    chosen: list[tuple[str, str]] = []
    while by_host and len(chosen) < MAX_MUTANTS:
        for host in [*by_host]:
            chosen.append(by_host[host].pop(0))
            if not by_host[host]:
                del by_host[host]
    healthy = {host.name: _output(host.text, host.name) for host in hosts}
    return [
        Program(f"{entry.name}/{name}", text, healthy[name.partition("/")[0]])
        for name, text in chosen[:MAX_MUTANTS]
    ]


@functools.cache
def _output(text: str, name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.py"
        file.write_text(text, "utf-8")
        return _run(file).stdout


_of_thread = threading.local()
PYTHON = sys.executable  # runs the programs; another one where `tests.tools.tried` compares releases


def _run(file: Path, records: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The program in a fork of a process that has imported torch, one such process a thread."""
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    if records is not None:
        env = child_environment(env, str(records))
    server = getattr(_of_thread, "server", None)
    if server is None:
        script = locations.shipped("kb").parent / SERVER
        server = _of_thread.server = subprocess.Popen(
            [PYTHON, "-B", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
    assert server.stdin and server.stdout
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        request = {
            "script": str(file),
            "words": [],
            "folder": folder,
            "environment": env,
            "seconds": TIMEOUT_S,
            "torn_down": False,
        }
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        status = json.loads(server.stdout.readline())["status"]
        out, err = (Path(folder, each).read_text("utf-8", "replace") for each in ("stdout", "stderr"))
    return subprocess.CompletedProcess(str(file), -1 if status is None else status, out, err)


def prove(assistant: Assistant, programs: Iterable[Program]) -> Iterator[Proved]:
    """Every program in turn, two at a time, each in a folder of its own."""
    with ThreadPoolExecutor(WORKERS) as pool:
        yield from pool.map(lambda program: prove_one(assistant, program), programs)


def prove_one(assistant: Assistant, program: Program) -> Proved:
    """Every change that the answer's entry has for this crash, applied; none where no entry answers."""
    with tempfile.TemporaryDirectory() as place:
        file, records = (
            Path(place) / f"{host_of(program) or Path(program.name).stem}.py",
            Path(place) / "records",
        )
        records.mkdir()
        file.write_text(program.text, "utf-8")
        broken = _run(file, records)
        if broken.returncode == 0:
            return Proved(program, None, ())
        answer = answer_of(assistant, broken.stderr, records)
        if answer.match is None:
            return Proved(program, "", ())
        return Proved(program, answer.match.id, tuple(_tried(program, answer, answer.match, file)))


def _tried(program: Program, answer: Answer, match: Match, file: Path) -> Iterator[TriedChange]:
    # each change is filled while the file is as it was when it failed
    for template, form, change in list(first_changes(answer, match)):
        fixed = applied(program.text, change, form)
        if fixed is None:
            continue
        file.write_text(fixed, "utf-8")
        after = _run(file)
        if program.healthy is None and after.returncode == 0 and ORACLE not in program.text:
            continue  # a program without an oracle can only speak against a change: that it still crashes
        good = after.returncode == 0 and _as_it_should(program, after.stdout)
        rows = [f"{sign} {row}" for each in change.lines for sign, row in each.rows()]
        shown = "\n".join(rows) if form == "edit" else change.code
        said = (after.stderr.strip().splitlines() or [f"it printed {after.stdout.strip()[-80:]}"])[-1]
        yield TriedChange(match.id, digest_of_change(template, match.pitfall.folder), form, good, shown, said)


def _as_it_should(program: Program, output: str) -> bool:
    if program.healthy is None:
        return output.rstrip().endswith("OK")
    said, wanted = output.split(), program.healthy.split()
    return len(said) == len(wanted) and all(map(_same, said, wanted))


def _same(said: str, wanted: str) -> bool:
    """Whether two words are the same, or figures that rounding tells apart."""
    if said == wanted:
        return True
    figures = [re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", word) for word in (said, wanted)]
    return len(figures[0]) == len(figures[1]) > 0 and all(
        math.isclose(float(one), float(other), rel_tol=CLOSE, abs_tol=CLOSE)
        for one, other in zip(*figures, strict=True)
    )


def answer_of(assistant: Assistant, text: str, records: Path) -> Answer:
    """What `torchwhy run` would answer to a crash with these records."""
    frame = find_frame(read_records(str(records)), parse(text))
    return assistant.ask(text, source=True, operands=frame.operands if frame else ())


def first_changes(answer: Answer, match: Match) -> Iterator[tuple[Template, str, Change]]:
    """The template that this crash would be shown, in each form that it has here."""
    for form in FORMS:
        for template in match.changes:
            change = build.change_for(answer, match, (template._replace(applied=(form,)),))
            if change is None:
                continue
            if not change.usual and (form == "code" or change.lines):
                yield template, form, change
            break


def applied(text: str, change: Change, form: str) -> str | None:
    """The program with the change; None where the program has no place for it."""
    if form == "edit":
        return edited(text, [line_edit(text, each.line, each.before, each.after) for each in change.lines])
    found = MARKED.search(text)
    if found is None or not change.code:
        return None
    code = "".join(f"{found[1]}{line}\n" for line in change.code.splitlines())
    return text[: found.start()] + code + text[found.end() :]


def tally(proved: Iterable[Proved]) -> Answered:
    """Of each entry with mutants: how many there are, and which entries answered those that fail."""
    of_entry: dict[str, list[str | None]] = {}
    for each in proved:
        if host_of(each.program):
            of_entry.setdefault(each.program.name.partition("/")[0], []).append(each.answered)
    return {
        entry: {
            "mutants": len(names),
            "answered": dict(sorted(Counter(each or NO_ENTRY for each in names if each is not None).items())),
        }
        for entry, names in of_entry.items()
    }


def remember(known: Seen, program: str, results: Iterable[TriedChange]) -> None:
    """Write into `known` what one program showed, in the place of what it showed before."""
    for digests in known.values():
        for forms in digests.values():
            for names in forms.values():
                if program in names:
                    names.remove(program)
    for each in results:
        forms = known.setdefault(each.entry, {}).setdefault(each.digest, {})
        forms.setdefault(each.form if each.fixed else f"not {each.form}", []).append(program)


def witness_of(known: Seen, answered: Answered) -> dict[str, Any]:
    """What the file holds: a form that failed for one program has no witness, however many it fixed."""
    kept: dict[str, Any] = {}
    for entry in sorted({*known, *answered}):
        changes = {}
        for digest, forms in sorted(known.get(entry, {}).items()):
            left = {
                form: sorted(names)
                for form, names in sorted(forms.items())
                if names and not forms.get(f"not {form}")
            }
            if left:
                changes[digest] = left
        law = {"law": count(entry, changes, answered)} if entry in answered else {}
        if law or changes:
            kept[entry] = {**law, "changes": changes}
    return kept


def as_text(witness: Mapping[str, Any]) -> str:
    """The file."""
    return json.dumps(witness, indent=1) + "\n"
