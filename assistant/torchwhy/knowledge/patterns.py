"""How a pattern of the knowledge base is read: RE2, case-insensitive, a space stands for any white space.

Terminals and web pages wrap messages, so a literal space in a pattern matches one or more white-space
characters, line ends included. `.` stops at a line end. Untrusted pastes meet contributed patterns here: RE2
answers in linear time whatever either contains.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import re2

from torchwhy.text.lazy_re import lazy_compile

# RE2's default memory fails to compile patterns with bounded repeats such as .{0,200}.
RE2_MEMORY_BYTES = 256 << 20


def options() -> Any:
    result = re2.Options()
    result.max_mem = RE2_MEMORY_BYTES
    result.log_errors = False
    result.case_sensitive = False
    return result


_GROUP = lazy_compile(r"(?<!\\)(?:\\\\)*\(\?P?<([A-Za-z_]\w*)>")


def groups_of(pattern: str) -> list[str]:
    """The names of a pattern's groups in order, a name that stands twice included twice."""
    return _GROUP.findall(pattern)


@lru_cache(maxsize=4096)
def spaced(pattern: str) -> str:
    """The pattern with each run of literal spaces outside a character class turned into `\\s+`."""
    return _PARTS.sub(_spaced_part, pattern)


# An escaped character, a character class (a bracket that stands first is a member, [:alpha:] is one name) or
# a run of spaces with what follows.
_PARTS = lazy_compile(
    r"\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|(?P<spaces> +)(?P<repeat>[*?+{]?)", re.DOTALL
)


def _spaced_part(part: re.Match[str]) -> str:
    if not part["spaces"]:
        return part[0]
    return r"\s" + part["repeat"] if part["repeat"] else r"\s+"


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Any:
    """Compile a pattern of the knowledge base. Raises re2.error where RE2 refuses it."""
    return re2.compile(spaced(pattern), options())
