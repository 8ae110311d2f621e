"""Edits that the rest of the user's file decides on: what is put around an argument, another name for a call,
the line that made an operand, and the conditions under which a change is shown.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.answers.change import Change, change_of
from assistant.answers.line_edits import with_appended, with_wrapped
from assistant.answers.origins import origins_of
from assistant.answers.own_source import read_source
from assistant.knowledge.entry import Change as Template
from assistant.knowledge.entry import Edit
from assistant.paste.place import Here

PROGRAM = """import torch
from torch import nn
BATCH, LENGTH = 32, 20
class Table(nn.Module):
    def __init__(self, dim, longest=64):
        super().__init__()
        self.pe = torch.zeros(longest, dim)
    def forward(self, x):
        return x + self.pe
loss_fn = nn.BCELoss()
table = Table(8)
a = torch.from_numpy(array)
loader = DataLoader(data, batch_size=BATCH)
up = nn.Upsample(scale_factor=2)
def train(x, skip, state):
    c = torch.cat([up(x), skip], 1)
    d = torch.cat((skip, x + 1), 1)
    e = torch.cat([x, up(x)], 1)
    net.load_state_dict(torch.load(path))
    y = a @ net(x)
    z = out.index_add_(0, index, -x)
    r = loss_fn(a, skip)
"""


def changed(tmp_path: Path, edit: Edit, line: str, values: dict[str, str] | None = None) -> Change | None:
    """What is shown where that line failed."""
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    number = next(at for at, text in enumerate(PROGRAM.splitlines(), 1) if text.strip().startswith(line))
    here = Here(str(file), number, PROGRAM.splitlines()[number - 1].strip(), "train", "")
    template = Template(None, code="x", edits=(edit,), only_as_edit=True)
    return change_of((template,), values or {}, "en", here, read_source(here), origins=origins_of((here,)))


RESIZED = "resize({it}, {beside}.shape)"


@pytest.mark.parametrize(
    ("edit", "line", "after"),
    [
        (
            Edit(wrap=RESIZED, item="0", call="cat"),
            "c =",
            "c = torch.cat([resize(up(x), skip.shape), skip], 1)",
        ),
        (Edit(wrap=RESIZED, item="{at}"), "d =", "d = torch.cat((skip, resize(x + 1, skip.shape)), 1)"),
        (Edit(wrap=RESIZED, item="0", call="cat"), "e =", None),  # the other one would run twice
        (Edit(wrap=RESIZED, item="5"), "d =", None),
        (
            Edit(wrap="{k[7:]: v for k, v in {it}.items()}", call="load_state_dict"),
            "net.load",
            "net.load_state_dict({k[7:]: v for k, v in torch.load(path).items()})",
        ),
        (Edit(append=".float()", call="@"), "y =", "y = a.float() @ net(x)"),
        (Edit(append=".float()", call="@", argument=1), "y =", "y = a @ net(x).float()"),
        (
            Edit(append=".to({object}.dtype)", call="index_add_", argument=2),
            "z =",
            "z = out.index_add_(0, index, (-x).to(out.dtype))",
        ),
        (Edit(made="BCELoss", rename="BCEWithLogitsLoss"), "r =", "loss_fn = nn.BCEWithLogitsLoss()"),
        (Edit(origin="from_numpy", append=".float()"), "r =", "a = torch.from_numpy(array).float()"),
        (Edit(origin="as_tensor", append=".float()"), "r =", None),
        (
            Edit(called="DataLoader", where="batch_size=32", keyword="drop_last=True"),
            "y =",
            "loader = DataLoader(data, batch_size=BATCH, drop_last=True)",
        ),
    ],
)
def test_the_line_is_edited(tmp_path: Path, edit: Edit, line: str, after: str | None) -> None:
    found = changed(tmp_path, edit, line, {"at": "1"})
    assert (found.after if found else None) == after


@pytest.mark.parametrize(
    ("edit", "line", "before"),
    [
        (Edit(called="{class}", reads="pe"), "return x", "table = Table(8)"),
        (Edit(called="{class}", reads="position"), "return x", None),
        (Edit(called="{class}"), "y =", None),  # in no class
        (Edit(has="Upsample|interpolate"), "y =", "y = a @ net(x)"),
        (Edit(inside="train"), "y =", "y = a @ net(x)"),
        (Edit(inside="forward"), "y =", None),
        (Edit(has="Sigmoid"), "y =", None),
        (Edit(lacks="Sigmoid"), "y =", "y = a @ net(x)"),
        (Edit(lacks="Sigmoid|Upsample"), "y =", None),
        (Edit(reads="x|skip", has="Upsample"), "y =", "y = a @ net(x)"),
    ],
)
def test_a_line_is_pointed_at_under_conditions(
    tmp_path: Path, edit: Edit, line: str, before: str | None
) -> None:
    found = changed(tmp_path, edit, line)
    assert (found.before if found else None) == before
    assert found is None or not found.after


def test_a_call_without_a_first_argument_is_left_alone() -> None:
    here = Here("train.py", 1, "loss = loss_fn(input=out, target=labels)", "f", "")
    assert with_appended(here, 1, "target", ".view_as({argument0})") is None
    assert with_wrapped(here, 1, "target", "len({argument0}) - {it}") is None


def test_what_the_other_lengths_leave() -> None:
    for line, after in (
        ("random_split(data, [a, b, 7])", "random_split(data, [a, b, len(data) - a - b])"),
        ("random_split(data, [a, int(b), 7])", None),  # int() would run twice
        ("random_split(data, lengths)", None),
    ):
        here = Here("train.py", 1, line, "f", "")
        assert with_wrapped(here, 1, "lengths", "len({argument0}) - {others}", -1, "random_split") == after


def test_a_call_elsewhere_in_the_file_is_not_shown_where_it_is_not_read() -> None:
    for edit in (Edit(called="DataLoader"), Edit(returns="Net.forward")):
        here = Here("/no/such.py", 3, "loss = loss_fn(net(x), y)", "f")
        template = Template(None, code="x", edits=(edit,), only_as_edit=True)
        assert change_of((template,), {}, "en", here) is None


def test_no_condition_on_the_file_holds_where_it_is_not_read() -> None:
    template = Template(None, code="x", edits=(Edit(lacks="Sigmoid"),), only_as_edit=True)
    assert change_of((template,), {}, "en", Here("/no/such.py", 3, "y = net(x)", "f")) is None
