"""Each guard: a broken program is reported at its line, and the program without the mistake is not.

A program in `programs/<id>/` holds both (`tests/support/legs.py`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .watching import CORRECT, PROGRAMS, ROOT, guards, leg, watch_in_clone, watch_program

# Of these entries the script trains, and its first leg shows to a guard what it shows to a reader.
TRAINING_REPROS = {
    "zero-grad-forgotten": 24,
    "file-handle-shared-by-workers": 45,
    "iterable-dataset-duplicated": 22,
    "worker-duplicate-augmentation": 30,
    "host-memory-grows": 16,
    "nll-vs-cross-entropy": 24,
    "target-size-broadcast": 20,
    "all-targets-ignored": 25,
    "nan-in-input-data": 45,
    "freeze-layers": 18,
    "scheduler-before-optimizer": 27,
    "weight-decay-on-unused-layers": 26,
    "silent-broadcast": 24,
    "optimizer-of-another-model": 31,
    "output-activation-limits-range": 19,
    "training-data-not-shuffled": 24,
}
BY_MEMORY = {"host-memory-grows"}


@pytest.mark.script("kb/*/{path.parent.name}/guard.py")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_mistake_is_told_at_its_line(path: Path, tmp_path: Path) -> None:
    program, line = leg(path, tmp_path, "broken")
    told = watch_program(program, fresh=path.parent.name in BY_MEMORY)
    assert not [one for one in told if "off" in one], told
    assert (path.parent.name, str(program), line) in [
        (one["id"], one["path"], one["line"]) for one in told
    ], told


@pytest.mark.script("kb/*/{path.parent.name}/guard.py")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_without_the_mistake_nothing_is_told(path: Path, tmp_path: Path) -> None:
    assert watch_program(leg(path, tmp_path, "fixed")[0]) == []


@pytest.mark.script("kb/*/*/guard.py")
@pytest.mark.parametrize("path", CORRECT, ids=lambda path: path.stem)
def test_a_correct_program_is_left_alone(path: Path) -> None:
    assert watch_program(path) == []


@pytest.mark.script("kb/*/{name}/guard.py", "kb/*/{name}/repro.py")
@pytest.mark.parametrize("name", TRAINING_REPROS)
def test_the_legs_of_the_entry(name: str) -> None:
    (script,) = ROOT.glob(f"kb/*/{name}/repro.py")
    told = watch_program(script, fresh=name in BY_MEMORY)
    assert (name, TRAINING_REPROS[name]) in {(one["id"], one["line"]) for one in told}
    assert not [one for one in watch_program(script, ["--fixed"]) if one["id"] == name]


def test_a_clone_may_have_its_own_name_and_an_environment_inside(tmp_path: Path) -> None:
    root = tmp_path / "torchwhy"
    root.mkdir()
    assert watch_in_clone(root, Path(__file__).parent / "correct/ddp_encode_and_no_sync.py") == []


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        ("forward-called-directly/inside_ddp.py", "my_distributed.py"),
        ("zero-grad-forgotten/cnn_with_loader.py", "lib/python3-course/site-packages/train.py"),
    ],
)
def test_a_program_may_have_the_name_of_a_library(broken: str, name: str, tmp_path: Path) -> None:
    program, line = leg(Path(__file__).parent / "programs" / broken, tmp_path, "broken")
    renamed = tmp_path / name
    renamed.parent.mkdir(parents=True, exist_ok=True)
    program.rename(renamed)
    told = [(one.get("id"), one.get("path"), one.get("line")) for one in watch_program(renamed)]
    assert (broken.split("/")[0], str(renamed), line) in told


def test_each_guard_has_a_program_or_its_entrys_script() -> None:
    with_programs = {path.parent.name for path in PROGRAMS}
    needs_long = {"gpu-idle-data-bound"}  # it takes seconds of waiting to see: by hand
    assert {Path(path).parent.name for path in guards()} - needs_long == with_programs.union(TRAINING_REPROS)
