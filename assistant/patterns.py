"""How a pattern of the knowledge base is read: RE2, case-insensitive, a space stands for any white space.

Terminals and web pages wrap messages, so a literal space in a pattern matches one or more white-space characters,
line ends included. `.` stops at a line end. Untrusted pastes meet contributed patterns here: RE2 answers in linear
time whatever both hold.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import re2

MAX_MEM = 256 << 20  # the default memory fails to compile patterns with bounded repeats such as .{0,200}


def options() -> Any:
    result = re2.Options()
    result.max_mem = MAX_MEM
    result.log_errors = False
    result.case_sensitive = False
    return result


_GROUP = re.compile(r"(?<!\\)(?:\\\\)*\(\?P?<([A-Za-z_]\w*)>")


def groups_of(pattern: str) -> list[str]:
    """The names of a pattern's groups in order, a name that stands twice included twice."""
    return _GROUP.findall(pattern)


@lru_cache(maxsize=4096)
def spaced(pattern: str) -> str:
    """The pattern with each run of literal spaces outside a character class turned into `\\s+`."""
    out: list[str] = []
    in_class = False
    position = 0
    while position < len(pattern):
        char = pattern[position]
        if char == "\\":
            out.append(pattern[position : position + 2])
            position += 2
            continue
        if char == "[" and not in_class:
            in_class = True
        elif char == "]" and in_class:
            in_class = False
        if char == " " and not in_class:
            while position < len(pattern) and pattern[position] == " ":
                position += 1
            after = pattern[position : position + 1]
            out.append(r"\s" if after in ("*", "?", "+", "{") else r"\s+")
            continue
        out.append(char)
        position += 1
    return "".join(out)


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Any:
    """Compile a pattern of the knowledge base. Raises re2.error where RE2 refuses it."""
    return re2.compile(spaced(pattern), options())
