"""An error that torch.compile met while it traced reads as it does uncompiled."""

from __future__ import annotations

import pytest

from tests.paste.compiled import NEW, OLD
from torchwhy.paste.parse import parse


@pytest.mark.parametrize("text", [NEW, OLD])
def test_the_quoted_error_leads_with_the_users_line(text: str) -> None:
    paste = parse(text)
    root = paste.root
    assert root is not None and root.exception == "RuntimeError"
    assert root.message == "a and b must have same reduction dim, but got [3, 4] X [3, 4]."
    assert root.frames[-1].line == 2 and root.frames[-1].file == "train.py"
    assert "graph break" not in paste.text and len(paste.lines) == len(text.split("\n"))


def test_what_quotes_nothing_stays() -> None:
    assert parse("torch._dynamo.exc.TorchRuntimeError: x\n  Hint: y").lines[1] == "  Hint: y"
