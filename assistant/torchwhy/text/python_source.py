"""The tree of a Python text that nobody here wrote: parsed, never run."""

from __future__ import annotations

import ast
import sys
import warnings

from .lazy_re import lazy_compile

MAX_PARTS = 2_000  # in braces of one f-string; before Python 3.12 its parser takes the square of the time
F_STRING = lazy_compile(r"\b(?:[fF][rR]?|[rR][fF])(\"\"\"|'''|\"|')")
LINE_END = lazy_compile(r"(?<!\\)\n|\Z")


def parse_python(text: str) -> ast.Module:
    """`ast.parse`, without what Python says of the program's escapes. Raises SyntaxError, ValueError,
    RecursionError, MemoryError.
    """
    if sys.version_info < (3, 12) and text.count("{") > MAX_PARTS:
        _refuse_long_f_strings(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def read_otherwise(source: bytes) -> str:
    """Why Python may read a source as something else than whoever read it as UTF-8, in words that follow "it
    is"; "" where it reads the same: in UTF-7, or with escapes, a comment can hold code.
    """
    import io
    import tokenize

    if b"\0" in source:  # older Pythons leave out the rest of its line
        return "no text (it holds a NUL)"
    try:
        source.decode("utf-8")
        # Python ends a line at a carriage return as well, so the line that names an encoding can be hidden.
        lines = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        encoding, _ = tokenize.detect_encoding(io.BytesIO(lines).readline)
    except (SyntaxError, ValueError):  # another Python may know the encoding
        return "written in no encoding that is known here"
    return "" if encoding in ("utf-8", "utf-8-sig", "ascii") else f"written in {encoding}, not in UTF-8"


def _refuse_long_f_strings(text: str) -> None:
    end = 0
    for begin in F_STRING.finditer(text):
        if begin.start() < end:  # within one that was counted
            continue
        if len(begin[1]) == 3:
            end = text.find(begin[1], begin.end())
            end = len(text) if end < 0 else end
        else:
            found = LINE_END.search(text, begin.end())
            end = found.start() if found else len(text)
        if text.count("{", begin.end(), end) > MAX_PARTS:
            raise ValueError("an f-string of so many parts that nobody wrote it")
