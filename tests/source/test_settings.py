"""What a program sets an option to, where it is written."""

from __future__ import annotations

import ast

import pytest

from torchwhy.source.counts import handed
from torchwhy.source.module import Module
from torchwhy.source.own_file import value_of
from torchwhy.source.settings import option

LOSS = """
class Loss:
    def __init__(self, alpha=0.5, reduction="mean"):
        self.reduction = reduction
"""
FIELDS = "from dataclasses import dataclass\n@dataclass\nclass Config:\n    wide: int = 32\n    reduction: str = 'none'\n"


def module(text: str) -> Module:
    found = Module("train.py", text, ast.parse(text))
    found.begin(float("inf"))
    return found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Loss(0.1, reduction='none')", "'none'"),
        ("config = {'loss': {'reduction': 'none'}}\nLoss(**config['loss'])", "'none'"),
        ("def made(config):\n    return Loss(**config)\nmade({'reduction': 'sum'})", "'sum'"),
        ("options = dict(alpha=0.1, reduction='none')\nLoss(**options)", "'none'"),
        ("options = dict(reduction='none')\noptions['reduction'] = 'sum'\nLoss(**options)", None),
        (f"{FIELDS}\ncfg = Config()\nLoss(reduction=cfg.reduction)", "'none'"),
        (f"{FIELDS}\ncfg = Config(reduction='sum')\nLoss(reduction=cfg.reduction)", "'sum'"),
        (f"{FIELDS}\ncfg = Config(**read())\nLoss(reduction=cfg.reduction)", None),
        (
            "p = ArgumentParser()\np.add_argument('--reduction', default='none')\n"
            "Loss(reduction=p.parse_args().reduction)",
            "'none'",
        ),
        ("Loss(**read())", None),
        ("Loss()", None),
    ],
)
def test_an_option_is_followed_to_where_it_is_written(text: str, wanted: str | None) -> None:
    source = module(LOSS + text)
    (call,) = (each for each in source.of(ast.Call) if ast.unparse(each.func) == "Loss")
    found = option(source, call, "reduction")
    assert (ast.unparse(found) if found is not None else None) == wanted


def test_a_number_of_a_configuration_is_known() -> None:
    source = module(f"{FIELDS}\ncfg = Config()\nmade(2 * cfg.wide)")
    (call,) = (each for each in source.of(ast.Call) if ast.unparse(each.func) == "made")
    assert value_of(source, call.args[0]) == 64


def test_two_names_of_one_thing_are_the_same() -> None:
    text = "def made(a, batches):\n    step(batches)\ndef train(loader):\n    made(1, loader)\n    go(loader)\ntrain(x)\n"
    source = module(text)
    first, second = (each.args[0] for each in source.of(ast.Call) if ast.unparse(each.func) in ("step", "go"))
    assert handed(source, first) == handed(source, second) == ("x", None)
