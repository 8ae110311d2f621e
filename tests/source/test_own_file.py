"""The user's file as it lies here: whose calls made what, and where a part of a line stands."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from torchwhy.paste.place import UserFrame
from torchwhy.source.own_file import calls_of, makers, read_source, value_of

PROGRAM = """\
from torch.nn import DataParallel as Wide
WIDTH, DEPTH = 8 * 4, 2
class Net(Module):
    def __init__(self):
        self.é, self.head = Dropout(0.5), [Linear(WIDTH, 4)]
    def forward(self, x):
        return self.head[0](x)
class Other(Module):
    def __init__(self):
        self.head = Linear(1, 1)
net = Wide(Net())
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_the_call_that_made_what_the_line_calls(tmp_path: Path, ends: str) -> None:
    file = tmp_path / "net.py"
    file.write_bytes(PROGRAM.replace("\n", ends).encode())
    here = UserFrame(str(file), 7, "return self.head[0](x)", "forward")
    source = read_source(here)
    assert source is not None
    [call] = makers(source, here, "LazyLinear|Linear")
    part = source.place_of(call)
    assert part is not None and (part.line, part.written) == (5, "Linear(WIDTH, 4)")
    assert part.with_text("LazyLinear(4)") == "self.é, self.head = Dropout(0.5), [LazyLinear(4)]"
    assert [value_of(source, each) for each in call.args] == [32, 4]
    assert [ast.unparse(each) for each in calls_of(source, "DataParallel")] == ["Wide(Net())"]
    assert makers(source, here._replace(line=2), "Linear") == []  # two classes have such an attribute
