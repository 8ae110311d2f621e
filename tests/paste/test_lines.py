"""What a paste lost or gained on its way: quotes of two kinds, time stamps with a zone."""

from __future__ import annotations

import pytest

from torchwhy.paste.lines import lines_of


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("module 'torch.jit' has no attribute 'trace_it\"", "module 'torch.jit' has no attribute 'trace_it'"),
        ("no attribute \"fx'", 'no attribute "fx"'),
        ('it\'s a "model"', 'it\'s a "model"'),
        ("keys 'a', \"b\"", "keys 'a', \"b\""),
        ("[2022-03-27 12:20:48 +0700] [77] Killed", "[77] Killed"),
        ("2022-03-27T12:20:48+07:00 Killed", "Killed"),
    ],
)
def test_a_line_as_it_was_printed(said: str, read: str) -> None:
    assert lines_of(said) == [(read, None)]
