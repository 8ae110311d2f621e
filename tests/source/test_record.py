"""What a crash's record tells of a line: shapes after methods and indices, numbers, what torch's own code was given."""

from __future__ import annotations

import ast

import pytest

from torchwhy.source.record import CrashRecord

RECORD = CrashRecord(
    [
        {"name": "x", "kind": "tensor", "shape": [2, 3, 4]},
        {"name": "self.heads", "kind": "int", "value": 3},
        {"name": "net", "kind": "module", "class": "Linear", "settings": "in_features=4, out_features=5"},
        {"name": "input", "kind": "tensor", "shape": [6, 4], "within": "functional.py:9"},
    ]
)


def node(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("x", (2, 3, 4)),
        ("x.float()", (2, 3, 4)),
        ("x.transpose(1, 2)", (2, 4, 3)),
        ("x.permute(2, 0, 1)", (4, 2, 3)),
        ("x.unsqueeze(-1)", (2, 3, 4, 1)),
        ("x.flatten(1)", (2, 12)),
        ("x.view(-1)", (24,)),
        ("x.mT", (2, 4, 3)),
        ("x[0]", (3, 4)),
        ("x[:, None]", (2, 1, 3, 4)),
        ("x[:1].expand(5, -1, 4)", (5, 3, 4)),
        ("x[1:, :-1]", (1, 2, 4)),
        ("x[: len(x) - 1, None]", (1, 1, 3, 4)),
        ("x[n:]", None),
        ("x.expand(-1, 3, 4)", (2, 3, 4)),
        ("net(x)", (2, 3, 5)),
        ("net(x).mT", (2, 5, 3)),
        ("x[::2]", None),
        ("x.T", None),
        ("f(x)", None),
        ("y", None),
        ("input", None),  # a name of torch's own code
    ],
)
def test_a_shape(text: str, shape: tuple[int, ...] | None) -> None:
    assert RECORD.shape(node(text)) == shape


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("self.heads", 3),
        ("x.size(0) * self.heads", 6),
        ("x.shape[-1] + 1", 5),
        ("len(x)", 2),
        ("-1", -1),
        ("n", None),
        ("x.size(7)", None),
    ],
)
def test_a_number(text: str, number: int | None) -> None:
    assert RECORD.number(node(text)) == number


def test_what_torch_was_given_and_what_a_layer_is() -> None:
    assert RECORD.inner("input") == (6, 4) and RECORD.inner("target") is None
    assert RECORD.layer(node("net")) == "Linear" and RECORD.layer(node("x")) == ""
