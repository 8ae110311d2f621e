"""A text as it read before a string, an address, a page or a log's collector took it in: the ends of lines,
quotation marks, signs and colours that JSON, Python, Rust, HTML, URLs and syslog write as something else.

Forms of secrets ask for the beginning of a word or of a line, which such an escape hides: in
`{"log": "...\\nsshpass -p ..."}` the letter n stands before the command, in `[32mhf_...` an m before the
token.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

H = rb"[0-9a-fA-F]"
FURTHER = rb"(?:%(?:25){0,3}|\\{1,8}x)[89abAB]" + H  # a byte of UTF-8 behind the first one
BYTES = (
    rb"((?:%(?:25){0,3}|(?<!\\)\\+x)(?:[cdCD]"
    + H
    + FURTHER
    + rb"|[eE]"
    + H
    + rb"(?:"
    + FURTHER
    + rb"){2}|[fF][0-4](?:"
    + FURTHER
    + rb"){3}))"
)
ESCAPE = (
    BYTES
    # behind no other backslash: a run of them is looked at once
    + rb"|(?<!\\)\\+(?:(?:u001[bB]|u\{1[bB]\}|x1[bB]|033|e)(\[[0-9;]{0,20}m)"
    rb"|(?:u|U0000)([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,4})\}"
    rb"|x([2-7][0-9a-fA-F]|0[9aAdD])|([01][0-7]{2})|([nrt\"'/]))"
    # a colour whose escape character was lost, or is written out by `less`, rsyslog or a page
    rb"|((?:\^\[|#033|\xe2\x90\x9b)?\[[0-9;]{1,20}m)|#(01[125])|\^([IJM])"
    rb"|&(?:(quot|apos|lt|gt|amp|nbsp|colon|equals|sol)|#0{0,4}([0-9]{1,3})|#[xX]0{0,4}([2-7][0-9a-fA-F]|[9aAdD]));"
    rb"|%(?:25){0,3}([2-7][0-9a-fA-F]|0[aAdD])"
    rb"|<(/?(?:td|th|dt|dd|tr|li|p|div|br|b|i|em|strong|code|span|kbd|tt|font))\b[^<>\n]{0,200}>"
)
ESCAPES = re.compile(ESCAPE)
QUERY_ESCAPES = re.compile(ESCAPE + rb"|(\+)")  # where a blank is written as +
QUOTED_BYTE = re.compile(rb"%[0-9A-Fa-f]{2}")
LETTERS = {b"n": b"\n", b"r": b" ", b"t": b"\t", b"I": b"\t", b"J": b"\n", b"M": b"\n"}
NAMED = {
    b"quot": b'"',
    b"apos": b"'",
    b"lt": b"<",
    b"gt": b">",
    b"amp": b"&",
    b"nbsp": b" ",
    b"colon": b":",
    b"equals": b"=",
    b"sol": b"/",
}
TAGS = {b"td": b": ", b"th": b": ", b"dd": b": "}  # what stands between two cells
LINE_TAGS = (b"tr", b"li", b"p", b"div", b"br")
MAX_LAYERS = 3  # JSON in a query of an address in a page


class Unescaped(NamedTuple):
    """The bytes without escapes, and where in the original they stand: `places` behind each escape, and how
    much further on (`shifts`) the original is from there. `outer`: what the original is to its own.
    """

    data: bytes
    places: list[int]
    shifts: list[int]
    outer: Unescaped | None = None

    def original(self, place: int) -> int:
        """A place of `data` in the text that it was made of."""
        place += self.shifts[bisect_right(self.places, place)]
        return self.outer.original(place) if self.outer is not None else place


def unescaped(data: bytes) -> Unescaped | None:
    """A text without its escapes, whatever layers of them; None where it has none. What comes is UTF-8 if
    that was.
    """
    found = None
    for _ in range(MAX_LAYERS):
        following = _without_a_layer(data, found)
        if following is None:
            break
        found, data = following, following.data
    return found


def _without_a_layer(data: bytes, outer: Unescaped | None) -> Unescaped | None:
    escapes = QUERY_ESCAPES if b"+" in data and QUOTED_BYTE.search(data) else ESCAPES
    parts: list[bytes] = []
    places, shifts = [], [0]
    length = at = 0
    for found in escapes.finditer(data):
        sign = _sign(found)
        if sign is None:
            continue
        parts += [data[at : found.start()], sign]
        length += found.start() - at + len(sign)
        at = found.end()
        places.append(length)
        shifts.append(at - length)
    return Unescaped(b"".join([*parts, data[at:]]), places, shifts, outer) if places else None


def _sign(found: re.Match[bytes]) -> bytes | None:
    """What an escape stands for, of a colour nothing; None where that is no character."""
    (
        utf8,
        colour,
        unit,
        braced,
        python,
        octal,
        letter,
        bare,
        syslog,
        control,
        name,
        decimal,
        number,
        quoted,
        tag,
        *_,
    ) = found.groups()
    if utf8:
        raw = bytes.fromhex(re.sub(rb"%(?:25)*|\\+x", b"", utf8).decode())
        return raw if raw.decode(errors="ignore").encode() == raw else None
    if colour or bare:
        return b""
    if letter or control:
        return LETTERS.get(letter or control, letter)
    if name:
        return NAMED[name]
    if tag:
        return b"\n" if tag.strip(b"/") in LINE_TAGS else TAGS.get(tag, b"")
    if found[0] == b"+":
        return b" "
    digits = octal or syslog
    code = int(digits, 8) if digits else int(decimal or b"0")
    if not digits and not decimal:
        code = int(next(filter(None, (unit, braced, python, number, quoted))), 16)
    if code < 32 and code not in (9, 10, 13):
        return None
    return None if 0xD800 <= code <= 0xDFFF else chr(code).encode()
