"""Every example says where it was printed; those that a program prints under the installed torch are printed again."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.conftest import ENTRIES, write_entry
from tests.support.shipped import knowledge
from tests.tools import printed
from torchwhy.authoring.example_records import check_records
from torchwhy.knowledge.load import load_knowledge

KNOWN = knowledge().pitfalls
EXAMPLE = (
    "RuntimeError: Sizes of tensors must match except in dimension 1. "
    "Expected size 32 but got size 31 for tensor number 1 in the list."
)
RELEASE = metadata.version("torch").split("+")[0]
WORDED = [folder for folder in ENTRIES if folder.name in KNOWN and KNOWN[folder.name].signatures]
PRINTED = [
    folder
    for folder in ENTRIES
    if (file := folder / "printed.yaml").is_file() and RELEASE in file.read_text("utf-8")
]


@pytest.mark.script("kb/*/{folder.name}/printed.yaml")
@pytest.mark.parametrize("folder", WORDED, ids=lambda folder: folder.name)
def test_every_example_has_its_record(folder: Path) -> None:
    assert not printed.gaps(KNOWN, [folder.name])


def test_an_example_of_its_own_script_needs_no_record(tmp_path: Path) -> None:
    """The template's first wording is what its script prints; the second is of an old release and wants a record."""
    folder = write_entry(tmp_path)
    known = dict(load_knowledge([tmp_path], {}).pitfalls)
    (line,) = printed.gaps(known)
    assert "Got 32 and 31 in dimension 2" in line
    assert "say in printed.yaml" in line
    example = known["made-up"].signatures[1].example
    record = {"example": example, "source": "torch 1.7, TH/generic/THTensor.cpp"}
    (folder / "printed.yaml").write_text(json.dumps([record]))
    assert printed.gaps(known) == []


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"source": "x"}, "[0].example: found None; wanted an example of one of the signatures"),
        ({"example": "another one", "source": "x"}, "[0].example: found 'another one'"),
        ({"example": EXAMPLE}, "[0]: found nothing; wanted one of repro; program and torch; thread"),
        ({"example": EXAMPLE, "torch": "1.4.0"}, "[0]: found torch; wanted one of"),
        ({"example": EXAMPLE, "thread": "somewhere"}, "[0].thread: found somewhere; wanted a page"),
        ("no record", "(file): found it holds no list of records"),
    ],
)
def test_records_that_are_not_sound(tmp_path: Path, record: object, said: str) -> None:
    folder = write_entry(tmp_path)
    (folder / "printed.yaml").write_text(json.dumps([record]))
    (problem, *_) = check_records(load_knowledge([tmp_path], {}).pitfalls["made-up"])
    assert str(problem).startswith(f"shapes/made-up/printed.yaml: {said}")


@pytest.mark.script("kb/*/{folder.name}/printed.yaml")
@pytest.mark.parametrize("folder", PRINTED, ids=lambda folder: folder.name)
def test_programs_print_their_example(folder: Path) -> None:
    """Those of the installed release; `python -m tests.tools.printed --python PYTHON` runs those of another."""
    assert not printed.check(KNOWN, sys.executable, RELEASE, [folder.name])


@pytest.mark.parametrize(
    ("example", "output", "lacks"),
    [
        (
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
            "x\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (7x8 and 9x10)\n",
            False,
        ),
        (
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
            "TypeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
            True,
        ),
        (
            "mat1 and mat2 shapes cannot be multiplied",
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
            False,
        ),
        ("line 1\nmat1 and mat2 shapes cannot be multiplied", "mat1 and mat2 have other shapes", True),
    ],
)
def test_what_counts_as_printed(example: str, output: str, lacks: bool) -> None:
    signature = KNOWN["matmul-shape-mismatch"].signatures[0]
    signature = type(signature)(pattern="mat1 and mat2 shapes cannot be multiplied", example=example)
    assert bool(printed.missing(signature, output)) is lacks
