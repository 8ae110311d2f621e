"""What part a value plays: a module, and the weights that a file saves."""

from __future__ import annotations

import ast

import pytest

from torchwhy.source.module import Module
from torchwhy.source.roles import is_module, saved_weights

PROGRAM = """import copy
import torch
import torch.nn.functional as F
from torch import nn
class Net(nn.Module):
    pass
class Plain:
    pass
def build():
    return Net().to("cpu")
net = Net()
wrapped = nn.DataParallel(net)
twin = copy.deepcopy(net)
built, layer, plain = build(), nn.Linear(2, 3), Plain()
loss = nn.MSELoss()
weight = nn.Parameter(torch.ones(2))
out = F.relu(net(weight))
value = VALUE
"""


def module(text: str) -> Module:
    return Module("a.py", text, ast.parse(text))


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("net", True),
        ("net.cuda().eval()", True),
        ("wrapped.module", True),
        ("twin", True),
        ("built", True),
        ("layer", True),
        ("net if weight else layer", True),
        ("plain", False),
        ("weight", False),
        ("out", False),
        ("net(weight)", False),
        ("net if weight else out", False),
        ("unknown", False),
    ],
)
def test_what_is_known_to_be_a_module(written: str, known: bool) -> None:
    source = module(PROGRAM.replace("VALUE", written))
    [value] = [each.value for each in source.of(ast.Assign) if ast.unparse(each.targets[0]) == "value"]
    assert is_module(source, value) is known


@pytest.mark.parametrize(
    ("saved", "keys"),
    [
        ("net.state_dict()", [None]),
        ('{"epoch": 3, "net": wrapped.module.state_dict()}', ["net"]),
        ('{"net": net.state_dict(), "twin": twin.state_dict()}', []),
        ("plain.state_dict()", []),
    ],
)
def test_the_weights_that_a_file_saves(saved: str, keys: list[str | None]) -> None:
    source = module(f'{PROGRAM.replace("VALUE", "0")}torch.save({saved}, "a.pt")\n')
    assert [key for _, key in saved_weights(source)] == keys
