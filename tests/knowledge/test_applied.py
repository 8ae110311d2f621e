"""What `kb/witness.json` says: which changes of the answers fixed which programs."""

from __future__ import annotations

import json
from functools import lru_cache

import pytest

from tests.conftest import KB, ROOT
from tests.support.shipped import knowledge
from tests.tiers import remainder, tenth_of_head
from torchwhy import Assistant
from torchwhy.commands.prove import (
    Program,
    Proved,
    TriedChange,
    as_text,
    broken_programs,
    law,
    prove_one,
    remember,
)
from torchwhy.knowledge.entry import FORMS, ChangeTemplate, Pitfall
from torchwhy.knowledge.files import WITNESS_FILE
from torchwhy.knowledge.witness import digest_of_change, read_witness, with_witnesses

PROGRAMS = {program.name: program for program in broken_programs(ROOT)}
WITNESS = read_witness(KB)


def tenth() -> list[str]:
    """Another tenth of the programs for each commit; `torchwhy kb prove` runs all."""
    return [name for name in sorted(PROGRAMS) if remainder(name, 10) == tenth_of_head()]


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
    for digest, forms in WITNESS[id].items():
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


@pytest.mark.parametrize("name", tenth())
def test_a_program_shows_what_the_file_says(name: str) -> None:
    shown = {
        (each.entry, each.digest, each.form, each.fixed)
        for each in prove_one(assistant(), PROGRAMS[name]).tried
    }
    said = {
        (entry, digest, form.removeprefix("not "), not form.startswith("not "))
        for entry, digests in WITNESS.items()
        for digest, forms in digests.items()
        for form, names in forms.items()
        if name in names
    }
    # that it fixed this one says nothing of a change that failed for another
    outvoted = {
        each for each in shown if each[3] and f"not {each[2]}" in WITNESS.get(each[0], {}).get(each[1], {})
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
    for name in ("a.py", "b.py"):
        remember(known, name, [fixed])
    assert json.loads(as_text(known)) == {"an-entry": {"00": {"edit": ["a.py", "b.py"]}}}
    remember(known, "b.py", [fixed._replace(fixed=False)])
    assert json.loads(as_text(known)) == {"an-entry": {"00": {"not edit": ["b.py"]}}}
    remember(known, "b.py", [])
    assert json.loads(as_text(known)) == {"an-entry": {"00": {"edit": ["a.py"]}}}


def test_the_law_counts_edits_on_its_own_mutants_and_on_those_of_others() -> None:
    def of(name: str, answered: str | None, *tried: TriedChange) -> Proved:
        return Proved(Program(name, ""), answered, tried)

    fixed = TriedChange("one", "00", "edit", True, "", "")
    own = [of(f"one/{host}/{turn}", "one", fixed) for host in "abc" for turn in (1, 2)]
    silent = [of("one/d/1", None), of("one/d/2", "two"), of("written.py", "one", fixed)]
    assert law([*own, *silent])[1] == ["one", "8", "7", "3", "6", "6", "6", "", "holds", "two 1"]
    beside = of("two/a/1", "one", fixed._replace(fixed=False))
    rows = law([*own, beside])
    assert rows[1][-3:] == ["0 of 1", "broken", ""] and rows[2][-2:] == ["", "one 1"]
    assert law(own[:4])[1][-2] == "too few"


def test_the_file_is_the_one_that_the_tool_writes() -> None:
    assert (KB / WITNESS_FILE).read_text("utf-8") == as_text(
        json.loads((KB / WITNESS_FILE).read_text("utf-8"))
    )
