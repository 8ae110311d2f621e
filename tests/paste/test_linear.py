"""Reading costs time in proportion to the text, whatever stands in it.

Each pattern and each pass is run on its worst shapes at two sizes, the second twice the first. CPU time may grow by the
factor that the sizes grow by, and half as much again for noise; a pattern that backtracks over two runs grows fourfold.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial

import pytest

from tests.text.worst_shapes import growth
from torchwhy.paste import foreign, line_patterns, lines
from torchwhy.paste import paste as pastes
from torchwhy.paste.parse import parse
from torchwhy.text.lazy_re import patterns_of

MAX_GROWTH = 3.0  # of the time, when the text is twice as long
PIECES = (
    *"aA9 .-_/\\[(:=>|#\"'`汉,{<\t%", "a.", "A.", "a-", "a_", "a/", "a ", "A ", "9.", "9 ", "9:", "aA", "a:",
    "a=", "1x", "/a", "[a", "(a", "a@", "Error ", "AError", 'File "', "> ", "| ", "100%|", ":1: Assertion ",
    "Killed (", "Traceback ",
)  # fmt: skip
STARTS = (
    *("", "Cell In[", '  File "a.py", line ', "[rank", "RuntimeError: ", "--> ", "Input In [", "/a.py "),
    *("u@h:", "PS C:\\", "[E", ":1: ", "torch==", "Fatal Python error: ", "DataLoader worker (pid"),
)
ENDS = ("", "\x00", "!")


def named_patterns() -> list[tuple[str, re.Pattern[str]]]:
    named = {}
    for module in (foreign, line_patterns, lines, pastes):
        named |= {
            f"{module.__name__.rpartition('.')[2]}.{name}": value
            for name, value in patterns_of(module).items()
        }
    return [*named.items(), *((f"foreign.{name}", value) for name, value in foreign.FOREIGN.items())]


def seconds(run: Callable[[], object]) -> float:
    """CPU seconds, the least of three."""
    times = []
    for _ in range(3):
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
    return min(times)


@pytest.mark.parametrize(("name", "pattern"), named_patterns(), ids=[name for name, _ in named_patterns()])
def test_a_pattern_is_linear(name: str, pattern: re.Pattern[str]) -> None:
    limit = 500 if name.endswith(".SHELL") else 20_000  # what `parse` gives it of a line
    for start in STARTS:
        for piece in PIECES:
            for end in ENDS:
                text = start + piece * (300 // len(piece)) + end
                first = seconds(partial(pattern.search, text))
                if first < 5e-5:
                    continue
                longer = start + piece * (min(2400, limit) // len(piece)) + end
                grown = seconds(partial(pattern.search, longer))
                assert grown < 1e-3 or grown / first < 20, (
                    start,
                    piece,
                    end,
                )  # 8 times as long; squared it is 64


SHAPES: dict[str, Callable[[int], str]] = {
    "distinct ranks": lambda size: "\n".join(f"[rank{n}]: RuntimeError: x{n}" for n in range(size // 24)),
    "one rank a line": lambda size: "\n".join(f"[rank{n % 900}]: step {n}" for n in range(size // 20)),
    "short lines": lambda size: "a\n" * (size // 2),
    "empty lines": lambda size: "\n" * size,
    "chained": lambda size: (
        (
            "Traceback (most recent call last):\nValueError: x\n\n"
            "During handling of the above exception, another exception occurred:\n\n"
        )
        * (size // 120)
    ),
    "cells of digits": lambda size: "Traceback (most recent call last):\nCell In[" + "9" * size,
    "one line": lambda size: "x" * size,
    "quoted": lambda size: "> RuntimeError: x\n" * (size // 18),
    "frames": lambda size: (
        "Traceback (most recent call last):\n" + '  File "a.py", line 1, in f\n    x\n' * (size // 36)
    ),
    "warnings": lambda size: "/a.py:1: UserWarning: x\n  y()\n" * (size // 30),
    "words": lambda size: "why does my loss not go down at all\n" * (size // 36),
    "carriage returns": lambda size: "50%|###\r" * (size // 8),
    "size mismatch": lambda size: "size mismatch for a.b: copying a param with shape\n" * (size // 50),
}


@pytest.mark.parametrize("shape", SHAPES, ids=[name.replace(" ", "-") for name in SHAPES])
def test_a_paste_is_read_in_linear_time(shape: str) -> None:
    def run(text: str) -> object:
        paste = parse(text)
        return paste.distilled, paste.words

    assert growth(run, SHAPES[shape], (1 << 14, 1 << 15)) < MAX_GROWTH


@pytest.mark.parametrize(
    "text",
    [
        'Traceback (most recent call last):\n  File "a.py", line '
        + "9" * 5000
        + ", in f\n    x\nRuntimeError: y",
        "[rank" + "9" * 5000 + "]: RuntimeError: y",
        "Traceback (most recent call last):\nCell In["
        + "9" * 5000
        + "], line "
        + "9" * 5000
        + ", in f\nRuntimeError: y",
        "\ud800 RuntimeError: y",
        "RuntimeError: \x00\x1b[31m\ud800",
    ],
    ids=["line number", "rank", "cell", "lone surrogate", "control characters"],
)
def test_odd_texts_are_read(text: str) -> None:
    assert parse(text).root is not None
