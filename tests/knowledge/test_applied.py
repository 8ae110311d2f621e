"""What `kb/witness.json` says: which changes of the answers fixed which programs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import KB, ROOT
from tests.support.shipped import knowledge
from tests.tiers import SHARES, remainder, share_of_head
from torchwhy import Assistant
from torchwhy.authoring.law import check_law, rows
from torchwhy.commands.kb_prove import (
    Program,
    Proved,
    TriedChange,
    as_text,
    broken_programs,
    prove_one,
    remember,
    tally,
    witness_of,
)
from torchwhy.knowledge.entry import FORMS, ChangeTemplate, Pitfall
from torchwhy.knowledge.files import WITNESS_FILE
from torchwhy.knowledge.witness import digest_of_change, law_holds, read_witness, with_witnesses

PROGRAMS = {program.name: program for program in broken_programs(ROOT)}
WITNESS = read_witness(KB)
LAW = {"mutants": 9, "answered": {"one": 9}, "fixed": 9, "hosts": 3, "not fixed": 0, "counter-programs": 2}


def share() -> list[str]:
    """Other programs for each commit; `torchwhy kb prove` runs all."""
    return [name for name in sorted(PROGRAMS) if remainder(name, SHARES) == share_of_head()]


def changes_of(entry: Pitfall) -> list[ChangeTemplate]:
    return [*entry.change, *(change for signature in entry.signatures for change in signature.change)]


@lru_cache(maxsize=1)
def entries() -> dict[str, Pitfall]:
    return dict(knowledge().pitfalls)


@lru_cache(maxsize=1)
def assistant() -> Assistant:
    return Assistant(lang="en", vectors=False)


def test_a_witness_is_a_program_for_a_change_of_the_entry() -> None:
    for id in WITNESS:
        witness_is_sound(id)


def witness_is_sound(id: str) -> None:
    digests = {digest_of_change(change, entries()[id].folder) for change in changes_of(entries()[id])}
    for digest, forms in WITNESS[id]["changes"].items():
        assert digest in digests, "the change was edited since: torchwhy kb prove"
        for form, names in forms.items():
            assert form.removeprefix("not ") in FORMS
            assert form.startswith("not ") or f"not {form}" not in forms
            # of several programs that show the same, one is kept
            assert names == sorted(set(names)) and any("/" in name or name in PROGRAMS for name in names)


def test_each_program_ends_with_its_oracle() -> None:
    for path in (ROOT / "tests/fixtures/applied").glob("*.py"):
        text = path.read_text("utf-8")
        assert text.startswith('"""') and text.endswith('print("OK")\n') and "assert" in text, path.name


@pytest.mark.parametrize("name", share())
def test_a_program_shows_what_the_file_says(name: str) -> None:
    shown = {
        (each.entry, each.digest, each.form, each.fixed)
        for each in prove_one(assistant(), PROGRAMS[name]).tried
    }
    said = {
        (entry, digest, form.removeprefix("not "), not form.startswith("not "))
        for entry, digests in WITNESS.items()
        for digest, forms in digests["changes"].items()
        for form, names in forms.items()
        if name in names
    }
    # that it fixed this one says nothing of a change that failed for another
    outvoted = {
        each
        for each in shown
        if each[3] and f"not {each[2]}" in WITNESS.get(each[0], {"changes": {}})["changes"].get(each[1], {})
    }
    assert shown - outvoted == said


def test_a_change_that_was_edited_has_no_witness() -> None:
    entry = entries()["matmul-shape-mismatch"]
    assert any(change.applied for change in changes_of(entry))
    edited = entry._replace(
        signatures=tuple(
            each._replace(change=tuple(one._replace(code=f"{one.code} ") for one in each.change))
            for each in entry.signatures
        ),
        change=tuple(change._replace(code=f"{change.code} ") for change in entry.change),
    )
    again = with_witnesses(edited, WITNESS[entry.id])
    assert not any(change.applied for change in changes_of(again))


def test_one_program_that_is_not_fixed_outweighs_those_that_are() -> None:
    known: dict[str, dict[str, dict[str, list[str]]]] = {}
    fixed = TriedChange("an-entry", "00", "edit", True, "", "")

    def forms() -> object:
        return witness_of(known, {})["an-entry"]["changes"]["00"]

    for name in ("a.py", "b.py"):
        remember(known, name, [fixed])
    assert forms() == {"edit": ["a.py", "b.py"]}
    remember(known, "b.py", [fixed._replace(fixed=False)])
    assert forms() == {"not edit": ["b.py"]}
    remember(known, "b.py", [])
    assert forms() == {"edit": ["a.py"]}


def proved(name: str, answered: str | None, *tried: TriedChange) -> Proved:
    return Proved(Program(name, ""), answered, tried)


def test_the_law_counts_what_edits_did_to_mutants_and_what_others_mutants_showed() -> None:
    fixed = TriedChange("one", "00", "edit", True, "", "")
    own = [proved(f"one/{host}/{turn}", "one", fixed) for host in "abc" for turn in (1, 2)]
    silent = [proved("one/d/1", None), proved("one/d/2", "two"), proved("written.py", "one", fixed)]
    others = [proved("two/a/1", "two"), proved("two/b/1", ""), proved("two/c/1", "one", fixed)]

    def law(*seen: Proved) -> Mapping[str, Any]:
        known: dict[str, dict[str, dict[str, list[str]]]] = {}
        for each in seen:
            remember(known, each.program.name, each.tried)
        found: Mapping[str, Any] = witness_of(known, tally(seen))["one"]["law"]
        return found

    whole = law(*own, *silent, *others)
    counted = {"fixed": 7, "hosts": 3, "not fixed": 0, "counter-programs": 2}
    assert whole == {"mutants": 8, "answered": {"one": 6, "two": 1}, **counted}
    assert law_holds(whole)
    assert not law_holds(law(*own, *silent)), "no mutant of another entry"
    assert not law_holds(law(*own[:4], *others[:2]))
    refuted = law(*own, *others[:2], proved("two/c/1", "one", fixed._replace(fixed=False)))
    assert (refuted["fixed"], refuted["not fixed"]) == (0, 1), "its edit has lost the others as well"
    seen = {"one": {"law": whole}, "two": {"law": {**refuted, "answered": {"one": 1}}}}
    assert rows(seen)[1] == ["one", "8", "7", "6", "7", "3", "0", "2", "holds", "two 1"]
    assert [row[-2] for row in rows(seen)] == ["law", "holds", "broken"] and len(rows(seen, ["two"])) == 2


@pytest.mark.parametrize(
    ("law", "shown"),
    [(None, True), (LAW, True), ({**LAW, "fixed": 4}, False), ({**LAW, "hosts": 2}, False), ({}, True)]
    + [({**LAW, "counter-programs": 1}, False), ({"fixed": "many"}, False)],
)
def test_an_edit_stands_where_the_law_holds(law: dict[str, object] | None, shown: bool) -> None:
    entry = entries()["target-dtype-long"]
    digests = {
        digest_of_change(change, entry.folder): {"edit": ["x/a/1"], "code": ["a.py"]}
        for change in changes_of(entry)
    }
    found = with_witnesses(entry, {"changes": digests, "law": law})
    assert {change.applied for change in changes_of(found)} == {("edit", "code") if shown else ("code",)}
    assert {change.proved for change in changes_of(found)} == {1 if law is LAW else 0}


def test_a_witness_that_says_more_than_the_law_counts_is_a_problem(tmp_path: Path) -> None:
    folder = tmp_path / "loss" / "target-dtype-long"
    shutil.copytree(KB / "loss" / "target-dtype-long", folder)
    entry = entries()["target-dtype-long"]._replace(folder=str(folder))
    programs = [f"target-dtype-long/{host}/{turn}" for host in "abc" for turn in (1, 2, 3)]

    def found(**known: object) -> list[str]:
        (tmp_path / WITNESS_FILE).write_text(json.dumps({entry.id: known}))
        return [each.found for each in check_law(entry)]

    assert found(changes={"00": {"edit": programs}}, law=LAW) == []
    assert found(changes={"00": {"edit": programs}}) == ["an edit that fixed a program, and no law"]
    few = found(changes={"00": {"edit": programs[:4]}}, law=LAW)
    assert few == ["fixed 9, and 4 programs", "hosts 3, and 2 programs"]
    assert found(changes={"00": {"not edit": programs[:1]}}, law=LAW)[-1] == "not fixed 0, and 1 programs"
    (folder / "faults.py").unlink()
    assert found(changes={"00": {"edit": programs}}) == [], "without mutants nothing is counted"


def test_the_file_is_the_one_that_the_tool_writes() -> None:
    known = {entry: each["changes"] for entry, each in WITNESS.items()}
    laws = {entry: each["law"] for entry, each in WITNESS.items() if "law" in each}
    answered = {entry: {name: law[name] for name in ("mutants", "answered")} for entry, law in laws.items()}
    assert (KB / WITNESS_FILE).read_text("utf-8") == as_text(witness_of(known, answered))
