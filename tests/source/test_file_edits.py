"""Edits of the file's nodes: the failing call, what it was given and by whom, what was bound for it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support.edits import frame, line_of
from torchwhy.paste.place import UserFrame

LOOP = """def train(model, loader, size=3):
    for number, (images, labels) in enumerate(loader):
        rows = [each for each in images]
        out = model(rows).astype(int)
        loss = criterion(out)
        print(labels)
    return size
"""
NET = """class Net(Module):
    def forward(self, x):
        return self.head(x)


def serve(net):
    rows = table[:4]
    return net(rows), other(x=1)
"""


def test_what_was_bound_for_a_call_and_is_read_nowhere(tmp_path: Path) -> None:
    line = line_of(frame(tmp_path, LOOP, 5))
    assert line.call is not None and ast.unparse(line.call) == "criterion(out)"
    assert line.unread(line.call) == ["labels"]  # no counter, no parameter of the function around its loop


@pytest.mark.parametrize("loader", ["range(9)", "enumerate(labels)"])
def test_a_name_that_is_read_is_not_bound_for_a_call(tmp_path: Path, loader: str) -> None:
    text = LOOP.replace("enumerate(loader)", loader).replace("for each in images", "for each in labels")
    line = line_of(frame(tmp_path, text, 5))
    assert line.call is not None and "labels" not in line.unread(line.call)


@pytest.mark.parametrize(
    ("text", "expression", "wanted"),
    [
        (NET, "self.head(x)", "self.head(x)"),
        (NET.replace("self.head(x)", "self.head(x) + self.head(x)"), "self.head(x)", None),
        (NET.replace("self.head(x)", "self.head(\n            x)"), "", "self.head(x)"),
    ],
)
def test_the_failing_call_as_it_stands_in_the_file(
    tmp_path: Path, text: str, expression: str, wanted: str | None
) -> None:
    call = line_of(frame(tmp_path, text, 3, expression)).call
    assert (ast.unparse(call) if call is not None else None) == wanted


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [("net(rows)", "table[:4]"), ("other(x=1)", "1"), ("", None)],
)
def test_what_made_an_argument_is_followed_to_the_caller(
    tmp_path: Path, marked: str, wanted: str | None
) -> None:
    here = frame(tmp_path, NET, 3, "self.head(x)")
    caller = UserFrame(here.file, 8, "return net(rows), other(x=1)", "serve", marked)
    line = line_of(here, (caller,))
    assert line.call is not None
    made = line.made_by(line.call.args[0])
    assert (ast.unparse(made[1]) if made is not None else None) == wanted


def test_nothing_is_known_of_a_parameter_without_a_caller(tmp_path: Path) -> None:
    line = line_of(frame(tmp_path, NET, 3, "self.head(x)"))
    assert line.call is not None and line.made_by(line.call.args[0]) is None


def test_parts_of_several_lines_are_written_at_once(tmp_path: Path) -> None:
    line = line_of(frame(tmp_path, LOOP, 4, "model(rows)"))
    assert line.source is not None
    [cast] = line.calls("astype")
    made, out = (each.value for each in line.source.of(ast.Assign) if each.lineno in (3, 4))
    part = line.method_of(cast)
    assert part is not None and part.written == ".astype(int)"
    edit = line.put_all([(part, ".long()"), (line.source.place_of(made), "list(images)")])
    assert edit is not None
    found = {each.place.line: each.after for each in (edit, *edit.more)}
    assert found == {3: "rows = list(images)", 4: "out = model(rows).long()"}
    assert line.put_all([(None, "")]) is None and line.put(None, "{it}") is None
    whole = line.put(out, "({it})")
    assert whole is not None and whole.after == "out = (model(rows).astype(int))"
