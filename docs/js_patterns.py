r"""Patterns of RE2 and of Python's `re` as patterns of a browser's RegExp, with the flag `u`, that match the
same.

What differs: which characters `\s`, `\w`, `\d`, `\b` and `.` mean, how a group is named,
`(?i)`, `(?m)`, `(?s)` and `(?-i:` in the middle of a pattern, and which escapes are allowed. The tests
compare what both make of every example (tests/docs/test_search.py).
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Flavour = Literal["re2", "python"]
CLASSES: dict[Flavour, dict[str, str]] = {
    "re2": {"s": r"\t\n\f\r ", "w": "0-9A-Za-z_", "d": "0-9"},
    "python": {
        "s": r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
        "w": r"\p{L}\p{N}_",
        "d": r"\p{Nd}",
    },
}
# Inside a class a negated one is written out, without the long s and the Kelvin sign: under the flags `iu`
# they stand for s and k, which are no members.
NEGATED = {
    "S": r"\0-\x08\x0b\x0e-\x1f!-\u{10ffff}",
    "D": r"\0-\/:-\u{10ffff}",
    "W": r"\0-\/:-@\[-\^`\{-\u017e\u0180-\u2129\u212b-\u{10ffff}",
}
KEPT_ESCAPES = frozenset(r"^$\.*+?()[]{}|/")  # of syntax; any other one is refused under the flag u
CONTROL_ESCAPES = frozenset("nrtfvx0u")
TOKEN = re.compile(
    r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)"
    r"|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|\(\?P?<\w+>|\(\?[a-zA-Z-]*:|\(\?[imsU-]+\)|\(\?<?[=!]|\("
    r"|\{\d+(?:,\d*)?\}|.",
    re.DOTALL,
)
MEMBER = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|.", re.DOTALL)


class JSPattern(NamedTuple):
    """A pattern for `new RegExp(source, flags)`."""

    source: str
    flags: str


def js_pattern(pattern: str, flavour: Flavour, flags: str = "") -> JSPattern:
    """The pattern for a browser. `flags`: those that hold from its beginning, of `i`, `m`, `s`.

    Raises ValueError for what has no equal there.
    """
    if "[[:" in pattern:
        raise ValueError("a named class has no equal in a browser's patterns")
    # RegExp knows letters' cases for a whole pattern only: here they are written out
    cased = "(?-i:" in pattern
    writer = _Writer(flavour, set(flags), cased)
    return JSPattern(writer.written(pattern), "u" if cased or "i" not in writer.first_flags else "iu")


class _Writer:
    """One pass over a pattern's parts; `scopes` holds the flags of each open group."""

    def __init__(self, flavour: Flavour, flags: set[str], cased: bool) -> None:
        self.flavour, self.flags, self.cased = flavour, flags, cased
        self.classes = CLASSES[flavour]
        self.scopes: list[set[str]] = []
        self.first_flags = set(flags)

    def written(self, pattern: str) -> str:
        parts = []
        for found in TOKEN.finditer(pattern):
            piece = found[0]
            if piece.startswith("(?") and piece.endswith(")"):
                self.flags = _changed(self.flags, piece[2:-1])
                self.first_flags |= self.flags & {"i"}
            else:
                parts.append(self._part(piece))
        return "".join(parts)

    def _part(self, piece: str) -> str:
        if piece.startswith("("):
            return self._opened(piece)
        if piece == ")":
            self.flags = self.scopes.pop()
            return ")"
        if piece.startswith("\\"):
            return self._escape(piece)
        if piece.startswith("["):
            return self._class(piece)
        if piece.startswith("{"):
            return piece if len(piece) > 1 else r"\{"
        if piece in "]}/":
            return "\\" + piece
        if piece == ".":
            return "[^]" if "s" in self.flags else r"[^\n]"
        if "m" in self.flags and piece in "^$":
            return r"(?<=^|\n)" if piece == "^" else r"(?=\n|$)"
        return self._letter(piece) if piece.isalpha() else piece

    def _opened(self, piece: str) -> str:
        self.scopes.append(set(self.flags))
        if piece == "(":
            return "(?:" if self.flavour == "re2" else "("
        if piece.endswith(">"):
            return "(?:" if self.flavour == "re2" else piece.replace("?P<", "?<")
        if piece.endswith(":"):
            self.flags = _changed(self.flags, piece[2:-1])
            return "(?:"
        return piece

    def _escape(self, piece: str) -> str:
        kind = piece[1]
        if kind in "swdSWD":
            negated = "^" if kind.isupper() else ""
            return f"[{negated}{self.classes[kind.lower()]}]"
        if kind in "zZ":
            return "(?![^])"
        if kind == "A":
            return "(?<![^])"
        if kind in "bB":
            if self.flavour == "re2":
                return piece
            word = f"[{self.classes['w']}]"
            edge = f"(?<={word})(?!{word})|(?<!{word})(?={word})"
            return f"(?:{edge})" if kind == "b" else f"(?!{edge})"
        if kind.isalnum() and kind not in CONTROL_ESCAPES:
            raise ValueError(f"{piece} has no equal in a browser's patterns")
        return piece if kind in KEPT_ESCAPES or kind in CONTROL_ESCAPES else piece[1:]

    def _letter(self, piece: str) -> str:
        if self.cased and "i" in self.flags and piece.swapcase() != piece:
            return f"[{piece}{piece.swapcase()}]"
        return piece

    def _class(self, piece: str) -> str:
        body = piece[1:-1]
        negated = body.startswith("^")
        members = "".join(self._member(found[0]) for found in MEMBER.finditer(body[negated:]))
        if self.cased and "i" in self.flags:
            if members.endswith("-"):  # what follows would make a range of it
                members = members[:-1] + r"\-"
            swapped = re.sub(
                r"\\.|[A-Za-z]", lambda found: found[0] if len(found[0]) > 1 else found[0].swapcase(), members
            )
            members += swapped
        return f"[{'^' if negated else ''}{members}]"

    def _member(self, member: str) -> str:
        if not member.startswith("\\"):
            return "\\" + member if member in "[]^{}()|/." and member != "." else member
        kind = member[1]
        if kind in "swd":
            return self.classes[kind]
        if kind in "SWD":
            if self.flavour == "python":
                raise ValueError(f"{member} inside a class has no equal in a browser's patterns")
            return NEGATED[kind]
        return member if kind in KEPT_ESCAPES or kind in CONTROL_ESCAPES or kind == "-" else kind


def _changed(flags: set[str], letters: str) -> set[str]:
    """The flags after `i`, `-i`, `ms` and the like."""
    on, _, off = letters.partition("-")
    return (flags | set(on)) - set(off)
