"""Edits that the shapes in a crash's record settle, and where they decline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.support.edits import changed, frame
from torchwhy.paste.place import UserFrame

Shapes = Mapping[str, Sequence[int]]
RESHAPE = {"shape": "32, 12", "size": "60"}


@pytest.mark.parametrize(
    ("entry", "function", "code", "values", "shapes", "wanted"),
    [
        ("shapes/invalid-reshape", "size_of_the_tensor", "y = x.view(32, 12)", RESHAPE, {"x": (5, 3, 4)}, "y = x.view(x.size(0), 12)"),
        ("shapes/invalid-reshape", "size_of_the_tensor", "y = f(x).view(32, 12)", RESHAPE, {"x": (5, 3, 4)}, None),
        ("shapes/invalid-reshape", "size_of_the_tensor", "y = x.view(5, 7)", {"shape": "5, 7", "size": "60"}, {"x": (5, 3, 4)}, None),
        ("shapes/invalid-reshape", "classes_of_the_logits", "loss = F.cross_entropy(x.view(-1, 7), y)", {"shape": "-1, 7", "size": "60"}, {}, "loss = F.cross_entropy(x.view(-1, x.size(-1)), y)"),
        ("shapes/invalid-reshape", "classes_of_the_logits", "z = fc(x.view(-1, 7))", {"shape": "-1, 7", "size": "60"}, {}, None),
        ("shapes/matmul-shape-mismatch", "second_turned", "s = q @ k", {}, {"q": (2, 5, 4), "k": (2, 5, 4)}, "s = q @ k.transpose(-2, -1)"),
        ("shapes/matmul-shape-mismatch", "second_turned", "s = torch.mm(a, b)", {}, {"a": (2, 4), "b": (3, 4)}, "s = torch.mm(a, b.transpose(-2, -1))"),
        ("shapes/matmul-shape-mismatch", "second_turned", "s = a @ b", {}, {"a": (2, 4), "b": (2, 4)}, None),
        ("shapes/broadcast-mismatch", "kept_dimension", "y = (x - x.mean(1)) / x.std(1)", {}, {"x": (3, 4)}, "y = (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)"),
        ("shapes/broadcast-mismatch", "kept_dimension", "y = x - z.mean(1)", {}, {"x": (3, 4), "z": (5, 6)}, None),
        ("shapes/broadcast-mismatch", "dimensions_behind", "y = (x - m) / s", {}, {"x": (2, 3, 8, 9), "m": (3,), "s": (3,)}, "y = (x - m[:, None, None]) / s[:, None, None]"),
        ("shapes/broadcast-mismatch", "dimensions_behind", "y = x - m", {}, {"x": (3, 3, 8, 9), "m": (3,)}, None),
        ("shapes/broadcast-mismatch", "as_long_as", "y = x + self.pe", {}, {"x": (2, 5, 8), "self.pe": (1, 9, 8)}, "y = x + self.pe[:, :x.size(1)]"),
        ("shapes/broadcast-mismatch", "as_long_as", "y = x + self.pe", {}, {"x": (2, 9, 8), "self.pe": (1, 5, 8)}, None),
        ("shapes/cat-size-mismatch", "expanded", "y = torch.cat((self.cls, x), dim=1)", {}, {"x": (5, 9, 8), "self.cls": (1, 1, 8)}, "y = torch.cat((self.cls.expand(x.size(0), -1, -1), x), dim=1)"),
        ("shapes/cat-size-mismatch", "other_dimension", "y = torch.cat([a, b], 0)", {}, {"a": (5, 9), "b": (5, 3)}, "y = torch.cat([a, b], 1)"),
        ("shapes/cat-size-mismatch", "other_dimension", "y = torch.cat([a, b], 0)", {}, {"a": (5, 9, 2), "b": (5, 3, 3)}, None),
        ("shapes/cat-size-mismatch", "with_dimension", "y = torch.cat([a, b], dim=1)", {}, {"a": (5, 9), "b": (5,)}, "y = torch.cat([a, b.unsqueeze(1)], dim=1)"),
        ("shapes/cat-size-mismatch", "with_dimension", "y = torch.cat([a, b], dim=1)", {}, {"a": (5, 9), "b": (4,)}, None),
        ("shapes/scatter-gather-index", "one_column", "v = q.gather(1, a)", {}, {"q": (5, 2), "a": (5,)}, "v = q.gather(1, a.unsqueeze(1)).squeeze(1)"),
        ("shapes/scatter-gather-index", "one_column", "v = q.gather(1, a).squeeze(-1)", {}, {"q": (5, 2), "a": (5,)}, "v = q.gather(1, a.unsqueeze(1)).squeeze(-1)"),
        ("shapes/scatter-gather-index", "one_column", "z.scatter_add_(1, a, v)", {}, {"a": (5,), "v": (5,)}, None),
        ("loss/multi-target-not-supported", "without_dimension", "loss = loss_fn(out, y)", {}, {"y": (5, 1)}, "loss = loss_fn(out, y.squeeze(1))"),
        ("loss/multi-target-not-supported", "without_dimension", "loss = loss_fn(out, y.unsqueeze(1))", {}, {"y": (5,)}, "loss = loss_fn(out, y)"),
        ("loss/multi-target-not-supported", "without_dimension", "loss = loss_fn(out, y)", {}, {"y": (5, 3)}, None),
        ("loss/batch-size-target-mismatch", "classes_second", "loss = loss_fn(out, y)", {}, {"out": (2, 7, 5), "y": (2, 7)}, "loss = loss_fn(out.transpose(1, 2), y)"),
        ("loss/batch-size-target-mismatch", "classes_second", "loss = loss_fn(out, y)", {}, {"out": (2, 7, 5), "y": (2,)}, None),
        ("loss/batch-size-target-mismatch", "whole", "loss = loss_fn(out, y[:-1])", {}, {"out": (8, 7), "y": (8,)}, "loss = loss_fn(out, y)"),
        ("loss/batch-size-target-mismatch", "whole", "loss = loss_fn(out, y[1:])", {}, {"out": (7, 7), "y": (8,)}, None),
        ("shapes/squeeze-unsqueeze-permute", "last_dimension", "p = torch.softmax(x, dim=1)", {"dim": "1", "high": "0"}, {}, "p = torch.softmax(x, dim=-1)"),
        ("shapes/squeeze-unsqueeze-permute", "last_dimension", "p = x.argmax(3)", {"dim": "3", "high": "1"}, {}, None),
        ("shapes/squeeze-unsqueeze-permute", "with_the_batch", "x = x.permute(2, 0, 1)", {"have": "4"}, {}, "x = x.permute(0, 3, 1, 2)"),
        ("shapes/squeeze-unsqueeze-permute", "with_the_batch", "x = x.permute(0, 3, 1, 2)", {"have": "3"}, {}, "x = x.permute(2, 0, 1)"),
        ("shapes/squeeze-unsqueeze-permute", "with_the_batch", "x = x.permute(0, 2, 1)", {"have": "4"}, {}, None),
    ],
)  # fmt: skip
def test_an_edit(
    tmp_path: Path,
    entry: str,
    function: str,
    code: str,
    values: dict[str, str],
    shapes: Shapes,
    wanted: str | None,
) -> None:
    here = frame(tmp_path, f"import torch\n{code}\n", 2, code.partition(" = ")[2])
    found = changed(function, here, values, entry, shapes=shapes)
    assert found is not None and (found.after or None) == wanted


NET = """class Net(nn.Module):
    def __init__(self):
        self.fc1 = nn.Linear(16 * 5 * 5, 120)

    def forward(self, x):
        x = x.view(-1, 16 * 5 * 5)
        return self.fc1(x)

net = Net()
{}
"""


def test_a_flatten_and_the_layer_behind_it_change_together(tmp_path: Path) -> None:
    here = frame(tmp_path, NET, 6)
    values = {"shape": "-1, 400", "size": "10816"}
    found = changed("samples_kept", here, values, "shapes/invalid-reshape", shapes={"x": (4, 16, 13, 13)})
    assert found is not None
    assert [(each.line, each.after) for each in found.lines] == [
        (3, "self.fc1 = nn.Linear(2704, 120)"),
        (6, "x = x.flatten(1)"),
    ]


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("out = net(images[0])", "out = net(images[0].unsqueeze(0))"),
        ("for x in data: out = net(x)", None),  # a loop goes over batches
    ],
)
def test_a_sample_becomes_a_batch_where_the_model_is_called(
    tmp_path: Path, call: str, wanted: str | None
) -> None:
    here = frame(tmp_path, NET.format(call), 7)
    caller = UserFrame(here.file, 10, call, "<module>", call.partition("out = ")[2])
    found = changed("as_a_batch", here, {}, "shapes/missing-batch-dimension", callers=(caller,))
    assert found is not None and (found.after or None) == wanted


@pytest.mark.parametrize(
    ("lines", "function", "wanted"),
    [
        ("with torch.no_grad():\n    out = net(x)", "eval_first", "net.eval()\nwith torch.no_grad():"),
        ("for epoch in range(3):\n    with torch.no_grad():\n        out = net(x)", "eval_first", None),
        ("for x in DataLoader(data, batch_size=8):\n    out = net(x)", "without_the_rest", "for x in DataLoader(data, batch_size=8, drop_last=True):"),
        ("for x in DataLoader(data, batch_size=1):\n    out = net(x)", "without_the_rest", None),
        ("data = DataLoader(rows, batch_size=8)\nout = net(x)", "without_the_rest", None),
    ],
)  # fmt: skip
def test_a_batch_of_one(tmp_path: Path, lines: str, function: str, wanted: str | None) -> None:
    text = NET.format(lines)
    at = next(number for number, line in enumerate(text.splitlines(), 1) if "out = " in line)
    here = frame(tmp_path, text, 7)
    caller = UserFrame(here.file, at, text.splitlines()[at - 1].strip(), "<module>", "net(x)")
    found = changed(function, here, {}, "modules/batchnorm-single-sample", callers=(caller,))
    assert found is not None and (found.after or None) == wanted
