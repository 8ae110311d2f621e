"""Where a value of a program was made, and how many there are."""

from __future__ import annotations

import ast

import pytest

from torchwhy.source.counts import only_count
from torchwhy.source.module import Module
from torchwhy.source.origins import origins
from torchwhy.source.widths import width_before

HEAD = "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, Dataset, TensorDataset, random_split\n"
ROWS = """
class Rows(Dataset):
    def __init__(self, table):
        self.x, self.y = torch.tensor(table[:, 1:]), torch.tensor(table[:, 0])
    def __getitem__(self, at):
        return {"x": self.x[at], "y": self.y[at]}
"""
NET = """
class Net(nn.Module):
    def __init__(self, wide, size):
        super().__init__()
        self.first = nn.Linear(4, wide)
        self.norm = nn.BatchNorm1d(size)
        self.act = nn.ReLU()
    def forward(self, x):
        x = self.act(self.first(x))
        return self.norm(x)
"""

FILLED = """
import random
from dataclasses import dataclass
@dataclass
class Options:
    size: int = 3
class Rows(Dataset):
    def __init__(self):
        self.items = []
        for _ in range(3):
            self.items.append((torch.ones(2), 1))
        self.items.append((torch.ones(2), more()))
    def __getitem__(self, at):
        return self.items[at]
def joined(batch):
    xs, ys = zip(*batch)
    return xs, [y for _, y in batch]
"""


def module(text: str) -> Module:
    found = Module("train.py", HEAD + text, ast.parse(HEAD + text))
    found.begin(float("inf"))
    return found


def given(text: str, function: str) -> tuple[Module, ast.Call]:
    """The file and its only call of this function."""
    source = module(text)
    (call,) = (each for each in source.of(ast.Call) if ast.unparse(each.func) == function)
    return source, call


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a = torch.ones(2)\nb = a.view(-1).cuda()\nmade(b)", ["torch.ones(2)"]),
        ("a = torch.ones(2)\nmade(a.to(torch.float64))", ["a.to(torch.float64)"]),
        ("t = torch.ones(2, 3)\nmade(t[:, 0])", ["t[:, 0]"]),
        ("t = torch.ones(2, 3)\nmade(t[0])", ["torch.ones(2, 3)"]),
        (f"{ROWS}\nfor batch in DataLoader(Rows(t)):\n    made(batch['y'])", ["torch.tensor(table[:, 0])"]),
        (
            "x, y = torch.ones(4, 2), torch.zeros(4)\na, b = random_split(TensorDataset(x, y), [3, 1])\n"
            "for at, (one, other) in enumerate(DataLoader(a)):\n    made(other)",
            ["torch.zeros(4)"],
        ),
        (f"{FILLED}\nfor x, y in DataLoader(Rows(), collate_fn=joined):\n    made(x[0])", ["torch.ones(2)"] * 2),
        (f"{FILLED}\nfor x, y in DataLoader(Rows(), collate_fn=joined):\n    made(y[0])", ["1", "more()"]),
        (f"{FILLED}\nfor x, y in DataLoader(Rows(), collate_fn=unseen):\n    made(y[0])", []),
        (f"{FILLED}\nmade(Options(size=5).size)", ["5"]),
        ("t = {}\nt['a'] = 1\nt['b'] = 2\nmade(t['b'])", ["2"]),
        ("t = {}\nt['a'] = 1\nt['b'] = 2\nfor k, v in t.items():\n    made(v)", ["1", "2"]),
        ("import random\nt = [1]\nt += [2]\nt.extend([3, 4])\nmade(random.choice(t))", ["1", "3", "4", "2"]),
        ("def parts():\n    for at in range(2):\n        yield at, torch.eye(at)\nfor n, e in parts():\n    made(e)", ["torch.eye(at)"]),
        ("def f(z):\n    made(z)\nf(torch.ones(1))\nf(torch.zeros(1))", ["torch.ones(1)", "torch.zeros(1)"]),
        ("kinds = {'a': torch.relu, 'b': nn.Tanh()}\nmade(kinds[name])", ["torch.relu", "nn.Tanh()"]),
        ("def f(z):\n    made(z)\nf(*several)", []),
        ("made(elsewhere)", []),
    ],
)  # fmt: skip
def test_a_value_is_followed_to_where_it_was_made(text: str, wanted: list[str]) -> None:
    source, call = given(text, "made")
    assert [ast.unparse(each) for each in origins(source, call.args[0])] == wanted


def test_a_parameter_of_forward_is_what_the_objects_of_its_class_are_called_with() -> None:
    source, call = given(f"{NET}\nnet = Net(2, 3)\nx = torch.ones(3, 4)\nout = net(x)\n", "self.first")
    assert [ast.unparse(each) for each in origins(source, call.args[0])] == ["torch.ones(3, 4)"]


def test_a_buffer_is_an_attribute() -> None:
    text = (
        "class M(nn.Module):\n    def __init__(self):\n        self.register_buffer('mean', torch.ones(3))\n"
    )
    source, call = given(f"{text}    def forward(self, x):\n        return made(self.mean)\n", "made")
    assert [ast.unparse(each) for each in origins(source, call.args[0])] == ["torch.ones(3)"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("made(torch.randint(0, WORDS, (4,)))", "WORDS"),
        ("made(torch.randint(high, (4,)))", "high"),
        ("ids = {w: i for i, w in enumerate(words)}\nmade(torch.tensor([ids[w] for w in text]))", "len(ids)"),
        ("ids = {w: i + 1 for i, w in enumerate(words)}\nmade(torch.tensor([ids[w] for w in text]))", "len(ids) + 1"),
        ("ids = {'<pad>': 0}\nfor w in words:\n    ids[w] = len(ids)\nmade(torch.tensor([ids.get(w, 0) for w in text]))", "len(ids)"),
        ("ids = {'<pad>': 0}\nfor w in words:\n    ids[w] = 7\nmade(torch.tensor([ids[w] for w in text]))", ""),
        ("made(torch.tensor(read(path)))", ""),
    ],
)  # fmt: skip
def test_ids_are_counted_by_what_gives_them(text: str, wanted: str) -> None:
    source, call = given(text, "made")
    assert only_count(source, call.args[0]) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (NET, "wide"),
        (NET.replace("self.act(self.first(x))", "self.act(self.first(x)).sum(1)"), None),
        (NET.replace("nn.Linear(4, wide)", "make(4, wide)"), None),
    ],
)
def test_a_width_is_that_of_the_layer_before(text: str, wanted: str | None) -> None:
    source, call = given(text, "self.norm")
    (made,) = source.called_as("BatchNorm1d")
    found = width_before(source, made, call)
    assert (ast.unparse(found) if found is not None else None) == wanted


def test_a_width_in_a_sequential_is_that_of_the_layer_in_front() -> None:
    source, made = given(
        "net = nn.Sequential(nn.Linear(4, wide), nn.ReLU(), nn.LayerNorm(7))", "nn.LayerNorm"
    )
    found = width_before(source, made, None)
    assert found is not None and ast.unparse(found) == "wide"
