"""Where the objects of the failing line were made: read in the source of real tracebacks of real programs."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from torchwhy.answers.operand_origins import origin_of, origins_of
from torchwhy.paste.parse import parse
from torchwhy.paste.place import UserFrame, own_frames

LAYERS = """\
class Encoder:
    def __init__(self, rnn, size=4):
        self.rnn = rnn
        self.size = size
        self.table: dict = {}

    def forward(self, batch, state=None):
        batch = [each + 1 for each in batch]
        return self.rnn[self.size + len(batch) + state]
"""

PROGRAM = """\
from layers import Encoder

cells = [1, 2, 3]
encoder = Encoder(cells, size=7)


def evaluate(loader, keep):
    found = []
    for step in loader:
        found.append(step)
    return keep[found]


def step(
    model, given
):
    return model.forward(
        given["ids"],
        state=given["at"],
    )


batches = {"ids": [1], "at": 1}
"""


def traceback_of(folder: Path, last: str) -> str:
    (folder / "layers.py").write_text(LAYERS)
    (folder / "train.py").write_text(PROGRAM + last + "\n")
    ran = subprocess.run([sys.executable, "train.py"], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 1, ran
    # a traceback names a script as it was called
    return ran.stderr.replace('File "train.py"', f'File "{folder / "train.py"}"')


def made(folder: Path, last: str) -> dict[str, tuple[str, int, str]]:
    found = origins_of(own_frames(parse(traceback_of(folder, last))))
    return {each.name: (Path(each.file).name, each.line, each.code) for each in found}


def test_an_attribute_is_followed_to_its_class_and_a_parameter_to_the_call(tmp_path: Path) -> None:
    found = made(tmp_path, "step(encoder, batches)")
    assert found["self.rnn"] == ("layers.py", 3, "self.rnn = rnn")
    assert found["self.size"] == ("layers.py", 4, "self.size = size")
    assert found["batch"] == ("layers.py", 8, "batch = [each + 1 for each in batch]")
    # given on a line of its own to forward(), and from outside to step()
    assert found["state"] == ("train.py", 23, 'batches = {"ids": [1], "at": 1}')


def test_a_list_was_made_where_it_was_filled_last(tmp_path: Path) -> None:
    found = made(tmp_path, "evaluate([1], {})")
    assert found["found"] == ("train.py", 10, "found.append(step)")
    assert found["keep"][1] == PROGRAM.count("\n") + 1  # the call that gave it


def test_a_name_is_followed_through_a_second_name(tmp_path: Path) -> None:
    found = made(tmp_path, "other = cells\nother[9]")
    assert found == {"other": ("train.py", 3, "cells = [1, 2, 3]")}


def test_what_the_failing_line_makes_itself_is_not_told(tmp_path: Path) -> None:
    assert made(tmp_path, "cells = cells[9]") == {"cells": ("train.py", 3, "cells = [1, 2, 3]")}
    assert made(tmp_path, "[1, 2][9]") == {}


def test_a_value_of_a_loop_that_goes_round_comes_from_behind_the_line(tmp_path: Path) -> None:
    last = "for i in range(2):\n    if i:\n        state[9]\n    state = cells"
    assert made(tmp_path, last)["state"] == ("train.py", 3, "cells = [1, 2, 3]")


def test_a_name_of_a_comprehension_is_its_own(tmp_path: Path) -> None:
    last = "for x in cells:\n    pass\nsum(\n    [9][x]\n    for x in cells\n)"
    assert made(tmp_path, last)["x"] == ("train.py", PROGRAM.count("\n") + 5, "for x in cells")
    assert "x" not in made(tmp_path, "for x in cells:\n    pass\nsum([9][x] for x in cells)")


def test_names_that_chase_each_other_end(tmp_path: Path) -> None:
    last = "a = b = None\nfor i in range(2):\n    a = b\n    b = a\n(a + b)"
    assert set(made(tmp_path, last)) <= {"a", "b"}


def test_a_file_that_changed_since_tells_nothing(tmp_path: Path) -> None:
    text = traceback_of(tmp_path, "cells[9]")
    file = tmp_path / "train.py"
    file.write_text(file.read_text().replace("cells[9]", "cells[8]"))
    assert origins_of(own_frames(parse(text))) == ()


@pytest.mark.parametrize(
    ("operand", "name"),
    [("batch['ids']", "batch"), ("self.rnn.weight", "self.rnn"), ("batch", "batch"), ("other.batch", None)],
)
def test_an_operand_finds_its_origin(tmp_path: Path, operand: str, name: str | None) -> None:
    found = origins_of(own_frames(parse(traceback_of(tmp_path, "step(encoder, batches)"))))
    origin = origin_of(found, operand)
    assert (origin.name if origin else None) == name


@pytest.mark.parametrize("line", ["a" + "=a" * 40_000, "x = [" + "a, " * 30_000 + "]"])
def test_a_line_of_any_length_is_looked_through_in_linear_time(tmp_path: Path, line: str) -> None:
    (tmp_path / "t.py").write_text(line + "\n")
    started = time.process_time()
    origins_of([UserFrame(str(tmp_path / "t.py"), 1, line, "f")])
    assert time.process_time() - started < 1.5


@pytest.mark.parametrize(
    ("fast", "line"), [("if fast:\n        keep = 1\n    else:\n        keep = 2", None), ("keep = 2", 4)]
)
def test_of_two_branches_none_is_named(tmp_path: Path, fast: str, line: int | None) -> None:
    program = f"def pick(fast):\n    keep = 0\n\n    {fast}\n    return [][keep]\n\n\npick(True)\n"
    file = tmp_path / "train.py"
    file.write_text(program)
    ran = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
    found = {each.name: each.line for each in origins_of(own_frames(parse(ran.stderr)))}
    assert found.get("keep") == line
