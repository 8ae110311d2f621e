"""A program that holds both its broken and its fixed form."""

from __future__ import annotations

import re


def legs(text: str) -> tuple[str, str]:
    """The broken and the fixed program: lines that end in `# broken` and in `# fixed` are of one only. The line
    to be named has `here` in its comment.
    """
    broken = re.sub(r"(?m)^.*# fixed\n", "", text)
    return broken, re.sub(r"(?m)^.*# broken(, here)?\n", "", text)


def line_to_name(broken: str) -> int:
    """The number of the line that is marked `here`; 0 without one."""
    lines = enumerate(broken.split("\n"), 1)
    return next((number for number, line in lines if re.search(r"#.*\bhere$", line)), 0)
