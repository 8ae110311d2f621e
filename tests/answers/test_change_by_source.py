"""Edits that the rest of the user's file decides on: what is put around an argument, another name for a call,
the line that made an operand, and the conditions under which a change is shown.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from torchwhy.answers.change import Change, change_of
from torchwhy.answers.edit_reach import reaches_further
from torchwhy.answers.line_edits import with_appended, with_text, with_wrapped
from torchwhy.answers.origins import origins_of
from torchwhy.answers.own_source import read_source
from torchwhy.knowledge.entry import ChangeTemplate as Template
from torchwhy.knowledge.entry import EditTemplate, Form
from torchwhy.paste.place import UserFrame
from torchwhy.text.language import Bilingual

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


def changed(
    tmp_path: Path,
    edit: EditTemplate,
    line: str,
    values: dict[str, str] | None = None,
    applied: tuple[Form, ...] = ("edit",),
) -> Change | None:
    """What is shown where that line failed."""
    file = tmp_path / "train.py"
    number = next(at for at, text in enumerate(PROGRAM.splitlines(), 1) if text.strip().startswith(line))
    in_train = number > PROGRAM.splitlines().index("def train(x, skip, state):")
    # nothing below the line uses what it uses
    file.write_text("".join(PROGRAM.splitlines(True)[:number]) if in_train else PROGRAM)
    here = UserFrame(str(file), number, PROGRAM.splitlines()[number - 1].strip(), "train", "")
    template = Template(None, code="fixed", edits=(edit,), only_as_edit=True, applied=applied)
    return change_of((template,), values or {}, "en", here, read_source(here), origins=origins_of((here,)))


RESIZED = "resize({it}, {beside}.shape)"


@pytest.mark.parametrize(
    ("edit", "line", "after"),
    [
        (
            EditTemplate(wrap=RESIZED, item="0", call="cat"),
            "c =",
            "c = torch.cat([resize(up(x), skip.shape), skip], 1)",
        ),
        (
            EditTemplate(wrap=RESIZED, item="{at}"),
            "d =",
            "d = torch.cat((skip, resize(x + 1, skip.shape)), 1)",
        ),
        (EditTemplate(wrap=RESIZED, item="0", call="cat"), "e =", None),  # the other one would run twice
        (EditTemplate(wrap=RESIZED, item="5"), "d =", None),
        (
            EditTemplate(wrap="{k[7:]: v for k, v in {it}.items()}", call="load_state_dict"),
            "net.load",
            "net.load_state_dict({k[7:]: v for k, v in torch.load(path).items()})",
        ),
        (EditTemplate(append=".float()", call="@"), "y =", "y = a.float() @ net(x)"),
        (EditTemplate(append=".float()", call="@", argument=1), "y =", "y = a @ net(x).float()"),
        (
            EditTemplate(append=".to({object}.dtype)", call="index_add_", argument=2),
            "z =",
            "z = out.index_add_(0, index, (-x).to(out.dtype))",
        ),
        (EditTemplate(made="BCELoss", rename="BCEWithLogitsLoss"), "r =", "loss_fn = nn.BCEWithLogitsLoss()"),
        (EditTemplate(origin="from_numpy", append=".float()"), "r =", "a = torch.from_numpy(array).float()"),
        (EditTemplate(origin="as_tensor", append=".float()"), "r =", None),
        (
            EditTemplate(called="DataLoader", where="batch_size=32", keyword="drop_last=True"),
            "y =",
            "loader = DataLoader(data, batch_size=BATCH, drop_last=True)",
        ),
    ],
)
def test_the_line_is_edited(tmp_path: Path, edit: EditTemplate, line: str, after: str | None) -> None:
    found = changed(tmp_path, edit, line, {"at": "1"})
    assert (found.after if found else None) == after


@pytest.mark.parametrize(
    ("edit", "line", "shown"),
    [
        (EditTemplate(called="{class}"), "return x", True),
        (EditTemplate(called="{class}"), "y =", False),  # in no class
        (EditTemplate(has="Upsample|interpolate"), "y =", True),
        (EditTemplate(has="Sigmoid"), "y =", False),
        (EditTemplate(lacks="Sigmoid"), "y =", True),
        (EditTemplate(lacks="Sigmoid|Upsample"), "y =", False),
    ],
)
def test_a_change_for_some_files_alone_is_shown_in_words(
    tmp_path: Path, edit: EditTemplate, line: str, shown: bool
) -> None:
    found = changed(tmp_path, edit, line)
    assert (found is not None) == shown
    assert found is None or (found.usual and not found.before)


def test_an_edit_that_no_run_has_shown_to_fix_anything_is_not_made(tmp_path: Path) -> None:
    edit = EditTemplate(wrap=RESIZED, item="0", call="cat")
    found = changed(tmp_path, edit, "c =", applied=())
    assert found is not None and found.usual and not found.before and found.code == "fixed"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("c = torch.cat([skip, x], 1)", False),  # reads like an edit of the line, and is none
        ("c = torch.cat([skip, smaller], 1)", True),
        ("up(dim=1)", True),
        ("", False),
    ],
)
def test_code_in_the_names_of_the_line_is_left_out(tmp_path: Path, code: str, shown: bool) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    here = UserFrame(str(tmp_path / "train.py"), 17, "c = torch.cat([up(x), skip], 1)", "train", "")
    found = change_of((Template(None, code=code, do=Bilingual("Swap.", "换。")),), {}, "en", here)
    assert found is not None and bool(found.code) == shown and found.text == "Swap."


REACH = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
    def forward(self, x):
        y = self.fc(x)
        return y
net = Net()
loss = losses(net(x))
loss.backward()
"""


@pytest.mark.parametrize(
    ("more", "line", "before", "after", "reaches"),
    [
        ("", 12, "loss.backward()", "loss.mean().backward()", False),
        ("print(loss.item())\n", 12, "loss.backward()", "loss.mean().backward()", True),
        ("print(net)\n", 12, "loss.backward()", "loss.mean().backward()", False),
        ("", 8, "y = self.fc(x)", "y = self.fc(x.float())", False),
        ("second = Net()\n", 8, "y = self.fc(x)", "y = self.fc(x.float())", True),
        ("copy.deepcopy(net)\n", 8, "y = self.fc(x)", "y = self.fc(x.float())", True),
        ("second = Net()\n", 6, "self.fc = nn.Linear(2, 3)", "self.fc = nn.Linear(4, 3)", True),
        ("", 6, "self.fc = nn.Linear(2, 3)", "self.fc = nn.Linear(4, 3)", False),
        ("net.fc(other)\n", 6, "self.fc = nn.Linear(2, 3)", "self.fc = nn.Linear(4, 3)", True),
        ("print(x)\n", 11, "loss = losses(net(x))", "loss = losses(net(x).sum())", False),
        ("print(x)\n", 11, "loss = losses(net(x))", "loss = losses(net(x.float()))", True),
        ("print(x)\n", 11, "loss = losses(net(x))", "loss = losses(net(x, 1))", False),
        # what else is given to the object lacks the same
        ("net(other)\n", 11, "loss = losses(net(x))", "loss = losses(net(x.float()))", True),
        ("net(torch.ones(2))\n", 11, "loss = losses(net(x))", "loss = losses(net(x.float()))", False),
        ("net(b)\n", 12, "a = net(f(b))", "a = net(f(b, 1))", False),
        # a name that gives way to a number is as it was, unless it stands so further down
        ("print(a)\n", 12, "b = f(a + 1)", "b = f(4)", False),
        ("g(a + 1)\n", 12, "b = f(a + 1)", "b = f(4)", True),
        ("x.item()\n", 12, "b = x.view(2)", "b = x.reshape(2)", False),
        # the line reads it twice, and the edit reaches one of them
        ("", 12, "x = x - x.mean()", "x = x - x.float().mean()", True),
        # another part of the same thing
        ('f(s["b"])\n', 12, 'f(s["a"])', 'f(g(s["a"]))', False),
        ('f(s["a"])\n', 12, 'f(s["a"])', 'f(g(s["a"]))', True),
        ("torch.ones(2)\n", 12, "f(torch.load(p))", "f(g(torch.load(p)))", False),
    ],
)
def test_how_far_an_edit_reaches(
    tmp_path: Path, more: str, line: int, before: str, after: str, reaches: bool
) -> None:
    (tmp_path / "a.py").write_text(REACH + more)
    text = REACH.splitlines()[line - 1].strip()
    source = read_source(UserFrame(str(tmp_path / "a.py"), line, text, "f"))
    assert source is not None and reaches_further(source, line, before, after) == reaches


def test_what_ran_well_on_a_line_above_is_not_edited_inside(tmp_path: Path) -> None:
    text = REACH.replace("Net()", "Net()\nnet(y)")
    (tmp_path / "a.py").write_text(text)
    here = UserFrame(str(tmp_path / "a.py"), 8, "y = self.fc(x)", "forward", "")
    template = Template(None, code="x", edits=(EditTemplate(append=".float()"),), applied=("edit",))
    for line, edited in ((12, False), (11, True)):
        outside = UserFrame(here.file, line, text.splitlines()[line - 1], "<module>", "")
        found = change_of((template,), {}, "en", here, read_source(here), callers=(outside,))
        assert found is not None and bool(found.after) == edited


@pytest.mark.parametrize(
    ("line", "old", "new", "after"),
    [
        ("m = (a == b) and (c > d)", " and ", " & ", "m = (a == b) & (c > d)"),
        ("m = found or mask.bool()", " or ", " | ", "m = found | mask.bool()"),
        ("x.masked_fill_(not mask, 0)", "not ", "~", "x.masked_fill_(~mask, 0)"),
        ("m = a == b and c > d", " and ", " & ", None),  # & binds more tightly
        ("if found and mask:", " and ", " & ", None),  # still one yes or no
        ("m = [y for y in z if not y]", "not ", "~", None),
        ("m = a and b and c", " and ", " & ", None),
    ],
)
def test_an_operator_gives_way_where_its_operands_stay(
    line: str, old: str, new: str, after: str | None
) -> None:
    assert with_text(line, old, new) == after


@pytest.mark.parametrize(
    ("methods", "after"),
    [
        (("farward(self, x)",), "def forward(self, x):"),
        (("farward(self, x)", "help(self, x)"), None),  # either could be meant
        (("forward(self, x)", "other(self, x)"), None),
        (("reset(self)",), None),  # takes nothing
    ],
)
def test_a_method_gets_the_name_that_is_missing(
    tmp_path: Path, methods: tuple[str, ...], after: str | None
) -> None:
    body = "".join(f"    def {each}:\n        pass\n" for each in methods)
    (tmp_path / "a.py").write_text(f"class Net(nn.Module):\n{body}net = Net()\nsecond = Net()\nnet(x)\n")
    here = UserFrame(str(tmp_path / "a.py"), 6, "net(x)", "<module>", "")
    edit = EditTemplate(defines="{name}.forward")
    template = Template(None, code="x", edits=(edit,), applied=("edit",))
    found = change_of((template,), {"name": "Net"}, "en", here, read_source(here))
    assert found is not None and (found.after or None) == after


@pytest.mark.parametrize(("given", "edited"), [("x", True), ("x.transpose(1, 2)", False), ("x.T", False)])
def test_no_layer_is_fitted_to_an_input_that_the_line_turns(tmp_path: Path, given: str, edited: bool) -> None:
    text = f"class Net(nn.Module):\n    def __init__(self):\n        self.rnn = nn.GRU(2, 3)\n    def forward(self, x):\n        return self.rnn({given})\n"
    (tmp_path / "a.py").write_text(text)
    here = UserFrame(str(tmp_path / "a.py"), 5, f"return self.rnn({given})", "forward", f"self.rnn({given})")
    edit = EditTemplate(made="GRU", was="{want}", to="{got}")
    template = Template(None, code="x", edits=(edit,), applied=("edit",))
    found = change_of((template,), {"want": "2", "got": "7"}, "en", here, read_source(here))
    assert found is not None and bool(found.after) == edited


def test_a_call_without_a_first_argument_is_left_alone() -> None:
    here = UserFrame("train.py", 1, "loss = loss_fn(input=out, target=labels)", "f", "")
    assert with_appended(here, 1, "target", ".view_as({argument0})") is None
    assert with_wrapped(here, 1, "target", "len({argument0}) - {it}") is None


def test_what_the_other_lengths_leave() -> None:
    for line, after in (
        ("random_split(data, [a, b, 7])", "random_split(data, [a, b, len(data) - a - b])"),
        ("random_split(data, [a, int(b), 7])", None),  # int() would run twice
        ("random_split(data, lengths)", None),
    ):
        here = UserFrame("train.py", 1, line, "f", "")
        assert with_wrapped(here, 1, "lengths", "len({argument0}) - {others}", -1, "random_split") == after


def test_a_call_elsewhere_in_the_file_is_not_shown_where_it_is_not_read() -> None:
    for edit in (EditTemplate(called="DataLoader"), EditTemplate(returns="Net.forward")):
        here = UserFrame("/no/such.py", 3, "loss = loss_fn(net(x), y)", "f")
        template = Template(None, code="x", edits=(edit,), only_as_edit=True)
        assert change_of((template,), {}, "en", here) is None


def test_no_condition_on_the_file_holds_where_it_is_not_read() -> None:
    template = Template(None, code="x", edits=(EditTemplate(lacks="Sigmoid"),), only_as_edit=True)
    assert change_of((template,), {}, "en", UserFrame("/no/such.py", 3, "y = net(x)", "f")) is None
