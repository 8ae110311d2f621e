"""Every example says where it was printed; those that a program prints under the installed torch are printed again."""

from __future__ import annotations

import sys

import pytest

from . import printed

KNOWN = printed.load()
WITH_EXAMPLES = [entry.id for entry in KNOWN.values() if entry.signatures]
CATEGORIES = sorted({entry.category for entry in KNOWN.values()})


@pytest.mark.parametrize("id", WITH_EXAMPLES)
def test_every_example_has_its_record(id: str) -> None:
    assert not printed.gaps(KNOWN, [id])


def test_no_record_of_an_entry_that_is_gone() -> None:
    assert {file.stem for file in printed.FOLDER.glob("*.yaml")} <= set(WITH_EXAMPLES)


@pytest.mark.parametrize("category", CATEGORIES)
def test_programs_print_their_example(category: str) -> None:
    """Those of the installed release; `python tests/printed.py --python PYTHON` runs those of another."""
    assert not printed.check(KNOWN, sys.executable, printed.release_of(sys.executable), [category])


@pytest.mark.parametrize(
    ("example", "output", "lacks"),
    [
        (
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
            "x\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (7x8 and 9x10)\n",
            False,
        ),
        ("RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)", "TypeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)", True),
        ("mat1 and mat2 shapes cannot be multiplied", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)", False),
        ("line 1\nmat1 and mat2 shapes cannot be multiplied", "mat1 and mat2 have other shapes", True),
    ],
)
def test_what_counts_as_printed(example: str, output: str, lacks: bool) -> None:
    signature = KNOWN["matmul-shape-mismatch"].signatures[0]
    signature = type(signature)(pattern="mat1 and mat2 shapes cannot be multiplied", example=example)
    assert bool(printed.missing(signature, output)) is lacks
