"""Edits of several lines: what is put in front of a statement and behind it, moved, and changed together."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support.edits import frame, line_of
from torchwhy.answers.change import EditedLine
from torchwhy.source.edits import FailingLine, LineEdit
from torchwhy.source.rewrite import edited, line_edit

PROGRAM = """import torch
class Net:
    @property
    def out(self):
        self.a = f(1,
                   2)  # both
        self.b = 3; self.c = 4
        if self.b: return 5
        for x in y:
            pass
"""


def line(folder: Path) -> FailingLine:
    return line_of(frame(folder, PROGRAM, 1))


def statement(at: FailingLine, number: int) -> ast.stmt:
    assert at.source is not None
    return next(
        each
        for each in at.source.of(ast.Assign, ast.Return, ast.FunctionDef, ast.For, ast.Pass, ast.Import)
        if each.lineno == number
    )


def applied(edit: LineEdit | None) -> str | None:
    if edit is None:
        return None
    edits = [
        line_edit(PROGRAM, each.place.line or 0, each.place.text.strip(), each.after)
        for each in (edit, *edit.more)
    ]
    return edited(PROGRAM, edits)


def test_what_is_put_has_the_indentation_of_the_statement(tmp_path: Path) -> None:
    at = line(tmp_path)
    text = "with m:\n    g()"
    indented = "        with m:\n            g()\n"
    first = "        self.a = f(1,\n"
    assert applied(at.put_before(statement(at, 5), text)) == PROGRAM.replace(first, indented + first)
    last = "                   2)  # both\n"
    assert applied(at.put_behind(statement(at, 5), text)) == PROGRAM.replace(last, last + indented)
    decorated = "    @property\n"
    put = applied(at.put_before(statement(at, 4), "x = 1"))
    assert put == PROGRAM.replace(decorated, f"    x = 1\n{decorated}")


@pytest.mark.parametrize("number", [7, 8])  # something else stands on the line
def test_a_statement_that_shares_its_line_is_left(tmp_path: Path, number: int) -> None:
    at = line(tmp_path)
    its = statement(at, number)
    assert at.put_before(its, "g()") is at.put_behind(its, "g()") is at.taken_away(its) is None


def test_a_moved_statement_keeps_its_lines(tmp_path: Path) -> None:
    at = line(tmp_path)
    moved = applied(at.moved([statement(at, 5)], before=statement(at, 1)))
    assert moved is not None and moved.startswith("self.a = f(1,\n           2)  # both\nimport torch\nclass")
    assert moved.count("self.a") == 1 and moved.count("\n") == PROGRAM.count("\n")
    assert at.moved([statement(at, 10)], before=statement(at, 5)) is None  # a block of nothing


def test_statements_are_put_under_a_header(tmp_path: Path) -> None:
    at = line(tmp_path)
    rows = PROGRAM.splitlines(keepends=True)
    wrapped = applied(at.wrapped([statement(at, 5)], "with m:"))
    new = ["        with m:\n", *(f"    {row}" for row in rows[4:6])]
    assert wrapped == "".join([*rows[:4], *new, *rows[6:]])
    assert at.wrapped([statement(at, 7)], "with m:") is None


def test_edits_of_one_line_are_not_joined(tmp_path: Path) -> None:
    at = line(tmp_path)
    one, other = at.shown(1, "import torch as t"), at.shown(9, "for x in z:")
    assert one is not None and one.with_more(None) is None and one.with_more(one) is None
    both = one.with_more(other)
    assert both is not None and [each.place.line for each in (both, *both.more)] == [1, 9]


def test_rows_show_what_goes_comes_and_stays() -> None:
    put = EditedLine("a.py", 3, "x()", "with m:\n        x()\n    y()", "    ")
    assert put.rows() == [("-", "x()"), ("+", "with m:"), ("+", "    x()"), ("+", "y()")]
    assert put._replace(after="y()\n    x()").rows() == [("+", "y()"), (" ", "x()")]
    assert put._replace(after="").rows() == [("-", "x()")]
