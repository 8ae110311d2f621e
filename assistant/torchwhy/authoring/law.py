"""The law of changes: what `witness.json` says of an entry that has a `faults.py`, and whether that is so.

An edit is shown where it fixed every program that it was tried on, such edits of the entry together fixed at
least five mutants of three hosts, and at least two mutants of other entries failed without this entry being
the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.files import WITNESS_FILE
from torchwhy.knowledge.witness import law_holds, read_witness

from .faults import FAULTS_FILE

Seen = dict[str, dict[str, dict[str, list[str]]]]  # entry, digest of a change, form: names of programs
Answered = dict[str, dict[str, Any]]  # entry: its `mutants`, and which entries answered those that fail
NO_ENTRY = "no entry"
COLUMNS = ("mutants", "fail", "its-own", "fixed", "hosts", "not fixed", "counter-programs")


def count(
    entry: str, changes: Mapping[str, Mapping[str, Sequence[str]]], answered: Answered
) -> dict[str, Any]:
    """What the law counts of an entry, from the programs that its changes fixed or did not."""
    beside = [
        number
        for other, record in answered.items()
        if other != entry
        for by, number in record["answered"].items()
        if by != entry
    ]
    return {**answered[entry], **_by_edits(changes), "counter-programs": sum(beside)}


def _by_edits(changes: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, int]:
    mutants = {
        form: {name for forms in changes.values() for name in forms.get(form, ()) if "/" in name}
        for form in ("edit", "not edit")
    }
    hosts = {name.split("/")[1] for name in mutants["edit"]}
    return {"fixed": len(mutants["edit"]), "hosts": len(hosts), "not fixed": len(mutants["not edit"])}


def verdict(law: Mapping[str, Any]) -> str:
    """One word for the law of an entry; none where no mutant got an edit."""
    if law_holds(law):
        return "holds"
    return "too few" if law["fixed"] else "broken" if law["not fixed"] else ""


def rows(witness: Mapping[str, Any], entries: Sequence[str] = ()) -> list[list[str]]:
    """A row for each entry with mutants (of these, where any are named), below one of the columns' names.

    `fail`: of the mutants; `its-own`: of these, how many the entry answers; `fixed`, of so many `hosts`, and
    `not fixed`: by its edits; last, which entries answer its mutants in its place.
    """
    found = [["entry", *COLUMNS, "law", "else"]]
    for entry, known in sorted(witness.items()):
        law = known.get("law")
        if not law or (entries and entry not in entries):
            continue
        by = law["answered"]
        numbers = {**law, "fail": sum(by.values()), "its-own": by.get(entry, 0)}
        confused = sorted(((number, name) for name, number in by.items() if name != entry), reverse=True)
        found.append(
            [
                entry,
                *(str(numbers[name]) for name in COLUMNS),
                verdict(law),
                ", ".join(f"{name} {number}" for number, name in confused),
            ]
        )
    return found


def check_law(entry: Pitfall) -> Iterator[Problem]:
    """An entry with a `faults.py` whose witness lets an edit stand that the law does not count."""
    folder = Path(entry.folder)
    if not (folder / FAULTS_FILE).is_file():
        return
    known = read_witness(folder.parents[1]).get(entry.id, {})
    changes, law = known.get("changes", {}), known.get("law")
    field = f"{WITNESS_FILE}: {entry.id}"
    wanted = f"what `torchwhy kb prove {entry.id}` writes"
    if law is None:
        if any("edit" in forms for forms in changes.values()):
            yield Problem(_shown(folder), field, "an edit that fixed a program, and no law", wanted)
        return
    for name, number in _by_edits(changes).items():
        if law.get(name) != number:
            yield Problem(_shown(folder), field, f"{name} {law.get(name)}, and {number} programs", wanted)


def _shown(folder: Path) -> str:
    return "/".join((*folder.parts[-2:], FAULTS_FILE))
