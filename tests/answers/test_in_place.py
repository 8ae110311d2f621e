"""Which result of an operation a program writes into in place."""

from __future__ import annotations

import pytest

from torchwhy.answers.in_place import made_and_written
from torchwhy.source.project import parse

ABOVE = "def forward(self, x, y):\n"


def found(text: str, operation: str = "Sigmoid") -> tuple[int, str, int] | None:
    """(line, its text, where in that the result ends)."""
    place = made_and_written(parse("net.py", text), operation)
    if place is None or place.line is None:
        return None
    return place.line, place.text.strip(), place.end - len(place.text) + len(place.text.lstrip())


@pytest.mark.parametrize(
    "write", ["g[:, 0] = 0", "g += y", "g[0] *= 2", "g.mul_(y)", "g = g.mul_(y)", "z = g[0].zero_()"]
)
@pytest.mark.parametrize("made", ["torch.sigmoid(x)", "x.sigmoid()", "F.sigmoid(x)"])
def test_the_result_that_is_written_into(made: str, write: str) -> None:
    text = f"{ABOVE}    h = torch.sigmoid(y)\n    g = {made}\n    {write}\n    return g * h\n"
    assert found(text) == (3, f"g = {made}", len(f"g = {made}"))
    assert found(text, "Tanh") is None


def test_a_layer_of_that_operation() -> None:
    text = (
        "def __init__(self):\n    self.act = nn.ReLU()\n"
        + ABOVE
        + "    h = self.act(x)  # gate\n    h += y\n"
    )
    assert found(text, "Relu") == (4, "h = self.act(x)  # gate", len("h = self.act(x)"))


@pytest.mark.parametrize(
    "text",
    [
        ABOVE + "    g = torch.sigmoid(x)\n    return g + y\n",
        ABOVE + "    g = torch.sigmoid(x)\n    g = g.clone()\n    g[0] = 0\n",
        ABOVE + "    g[0] = 0\n    g = torch.sigmoid(x)\n",
        ABOVE + "    g = torch.sigmoid(\n        x)\n    g[0] = 0\n",
        ABOVE + "    g = torch.sigmoid(x).mean()\n    g += 1\n",
        ABOVE + "    g = torch.sigmoid(x)\n    g.__init__()\n    g.requires_grad_()\n",
        ABOVE + "    g = torch.sigmoid(x)\n    g += 1\ndef other(x):\n    g = x.sigmoid()\n    g += 1\n",
        ABOVE + "    g = torch.sigmoid(x)\ndef other(g):\n    g += 1\n",
    ],
)
def test_none_where_nothing_is_certain(text: str) -> None:
    assert found(text) is None
