"""A text as it read before a string, an address or a page took it in: the ends of lines, quotation marks and
signs that JSON, Python, HTML and URLs write as something else.

Forms of secrets ask for the beginning of a word or of a line, which such an escape hides: in
`{"log": "...\\nsshpass -p ..."}` the letter n stands before the command.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

ESCAPE = re.compile(  # behind no other backslash: a run of them is looked at once
    rb"(?<!\\)\\+(?:(?:u001[bB]|x1[bB]|033|e)(\[[0-9;]{0,20}m)|u([0-9a-fA-F]{4})"
    rb"|x([2-7][0-9a-fA-F])|([nrt\"']))"
    rb"|&(?:(quot|apos|lt|gt|amp)|#0{0,4}([0-9]{2,3})|#[xX]0{0,4}([2-7][0-9a-fA-F]));"
    rb"|%(?:25){0,3}([2-7][0-9a-fA-F]|0[aAdD])"
)
LETTERS = {b"n": b"\n", b"r": b" ", b"t": b"\t"}
NAMED = {b"quot": b'"', b"apos": b"'", b"lt": b"<", b"gt": b">", b"amp": b"&"}


class Unescaped(NamedTuple):
    """The bytes without escapes, and where in the original they stand: `places` behind each escape, and how
    much further on (`shifts`) the original is from there.
    """

    data: bytes
    places: list[int]
    shifts: list[int]

    def original(self, place: int) -> int:
        """A place of `data` in the text that it was made of."""
        return place + self.shifts[bisect_right(self.places, place)]


def unescaped(data: bytes) -> Unescaped | None:
    """A text without its escapes; None where it has none. What comes is UTF-8 if that was."""
    parts: list[bytes] = []
    places, shifts = [], [0]
    length = at = 0
    for found in ESCAPE.finditer(data):
        sign = _sign(found)
        if sign is None:
            continue
        parts += [data[at : found.start()], sign]
        length += found.start() - at + len(sign)
        at = found.end()
        places.append(length)
        shifts.append(at - length)
    return Unescaped(b"".join([*parts, data[at:]]), places, shifts) if places else None


def _sign(found: re.Match[bytes]) -> bytes | None:
    """What an escape stands for, of a colour nothing; None where that is no character."""
    colour, unit, python, letter, name, decimal, *hexadecimal = found.groups()
    if colour:
        return b""
    if letter:
        return LETTERS.get(letter, letter)
    if name:
        return NAMED[name]
    code = int(decimal) if decimal else int(next(filter(None, (unit, python, *hexadecimal))), 16)
    return None if 0xD800 <= code <= 0xDFFF else chr(code).encode()
