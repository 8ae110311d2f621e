"""`torchwhy kb check`: which entries a path means, what is checked of them, and what is said of two that claim a line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import KB, Run, write_entry
from torchwhy.authoring import check
from torchwhy.authoring.select import select
from torchwhy.errors import UsageError
from torchwhy.knowledge.load import load_knowledge
from torchwhy.knowledge.wordings import Wordings

RULE_COUNT = len(check.RULES) + len(check.LOADING_RULES) + len(check.FAMILY_RULES)
TEMPLATE = (KB / "_template" / "pitfall.yaml").read_text("utf-8")
OTHER = TEMPLATE.replace("Sizes of tensors", "Lengths of tensors").replace("torch.cat", "torch.hstack")


def unlike(word: str) -> Callable[[str], str]:
    """Other questions than the template's: its own would be copies."""
    return lambda line: f"{line} {' '.join(f'{word}{at}' for at in range(9))}"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Two entries that have nothing in common, in two categories."""
    write_entry(tmp_path / "kb", "cat-of-unequal-sizes")
    write_entry(tmp_path / "kb", "unequal-lengths", "other", yaml=OTHER, asks=unlike("length"))
    return tmp_path / "kb"


def ids(base: Path, *paths: str, only: tuple[str, ...] = ()) -> set[str] | None:
    selected = select([str(path) for path in paths], only, [base]).ids
    return set(selected) if selected is not None else None


def test_a_path_is_a_base_a_category_an_entry_or_a_file(base: Path) -> None:
    both = {"cat-of-unequal-sizes", "unequal-lengths"}
    assert ids(base) is None
    assert ids(base, str(base)) == both
    assert ids(base, str(base / "shapes")) == {"cat-of-unequal-sizes"}
    assert ids(base, str(base / "other" / "unequal-lengths")) == {"unequal-lengths"}
    assert ids(base, str(base / "other" / "unequal-lengths" / "repro.py")) == {"unequal-lengths"}
    assert ids(base, str(base / "shapes"), str(base / "other")) == both
    assert ids(base, str(base), only=("unequal-lengths",)) == {"unequal-lengths"}


def test_a_base_of_its_own_joins_the_others(base: Path, tmp_path: Path) -> None:
    for path in (base, base / "shapes", base / "shapes" / "cat-of-unequal-sizes"):
        assert select([str(path)], [], [KB]).roots == (KB, base)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nowhere", "no such file or folder"),
        ("empty", "no entry there"),
        ("kb/README.md", "no entry there"),
        ("kb/_template", "no entry there"),
    ],
)
def test_a_path_without_entries_is_refused(base: Path, tmp_path: Path, path: str, said: str) -> None:
    (tmp_path / "empty").mkdir()
    (base / "README.md").write_text("")
    (base / "_template").mkdir()
    (base / "_template" / "pitfall.yaml").write_text(TEMPLATE)
    with pytest.raises(UsageError, match=said):
        ids(base, str(tmp_path / path))


def test_an_unknown_id_is_refused(base: Path) -> None:
    with pytest.raises(UsageError, match="did you mean unequal-lengths"):
        ids(base, only=("unequal-length",))
    with pytest.raises(UsageError, match="no such entry"):
        ids(base, str(base / "shapes"), only=("unequal-lengths",))


def test_what_was_checked_is_counted(base: Path) -> None:
    everything = check.check([base], {})
    assert (everything.entries, everything.problems) == (2, ())
    assert everything.rules == len(check.RULES) + len(check.LOADING_RULES) + len(check.FAMILY_RULES)
    assert check.check([base], {}, {"unequal-lengths"}).entries == 1


def test_an_id_that_begins_like_another_is_another(base: Path) -> None:
    write_entry(base, "broken", yaml="kind: x\n")
    write_entry(base, "broken-too", yaml="kind: y\n")
    assert {check.id_of(problem) for problem in check.check([base], {}, {"broken"}).problems} == {"broken"}


def test_two_entries_that_claim_a_line_are_told_in_both_directions(base: Path) -> None:
    """The new pattern on the others' examples too, also where one entry alone is checked; with all three remedies."""
    greedy = OTHER.replace("'Lengths of tensors must match", "'(?:Sizes|Lengths) of tensors must match")
    write_entry(base, "greedy", yaml=greedy, asks=unlike("greedy"))
    (own, others) = (
        [problem for problem in check.check([base], {}, {"greedy"}).problems if problem.field.endswith(field)]
        for field in (".example", ".pattern")
    )
    assert {problem.field for problem in own} == {"signatures[0].example", "signatures[1].example"}
    assert any("cat-of-unequal-sizes's example" in problem.found for problem in others)
    for problem in (*own, *others):
        assert "a narrower pattern" in problem.wanted
        assert "under look_alikes" in problem.wanted
        assert "your wording added to" in problem.wanted


def test_a_copied_question_is_told_of_the_entry_that_is_checked(base: Path) -> None:
    write_entry(base, "another", yaml=OTHER.replace("Lengths", "Widths"))
    for id in ("another", "cat-of-unequal-sizes"):
        problems = check.check([base], {}, {id}).problems
        assert any(problem.file.endswith(f"/{id}/asks.en.txt") for problem in problems), id


def test_the_prefilter_finds_what_every_pattern_finds() -> None:
    """Oracle: each pattern of the shipped entries of one category on each of its examples, one by one."""
    from torchwhy.knowledge.patterns import compile_pattern

    entries = [entry for entry in load_knowledge([KB], {}).pitfalls.values() if entry.category == "shapes"]
    wordings = Wordings.of(entries)
    for entry in entries:
        for signature in entry.signatures:
            naive = {
                other.id
                for other in entries
                for each in other.signatures
                if compile_pattern(each.pattern).search(signature.example)
                and (each.context is None or compile_pattern(each.context).search(signature.example))
            }
            assert wordings.claimants(signature.example) == naive


def test_the_command(torchwhy: Run, base: Path) -> None:
    entry = str(base / "other" / "unequal-lengths")
    done = torchwhy("kb", "check", entry)
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        f"1 entry, {RULE_COUNT} rules: no problems\n",
        "",
    )
    data = json.loads(torchwhy("kb", "check", entry, "--json").stdout)
    assert data == {"schema": 1, "entries": 1, "rules": RULE_COUNT, "problems": []}
    Path(entry, "notes.txt").write_text("")
    done = torchwhy("kb", "check", entry)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == f"1 entry, {RULE_COUNT} rules: 1 problem"
    for words in (["kb", "check", str(base / "nowhere")], ["kb", "check", entry, "--only", "nothing"]):
        done = torchwhy(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
