"""The tree of a Python text that nobody here wrote: parsed, never run."""

from __future__ import annotations

import ast
import sys
import warnings

from .lazy_re import lazy_compile

MAX_PARTS = 2_000  # in braces of one f-string; before Python 3.12 its parser takes the square of the time
F_STRING = lazy_compile(r"\b(?:[fF][rR]?|[rR][fF])(\"\"\"|'''|\"|')")
BLOCK = lazy_compile(r"after .* on line (\d+)")
MAX_REPAIRS = 20  # lines of a piece that are no Python, as a traceback's below it
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


def parse_piece(text: str) -> tuple[ast.Module, SyntaxError | None]:
    """The tree of a piece that was cut out of a program, and the first error in it. A block without its
    head is moved to the left, a line that cannot be read counts as `pass`, one that never ends cuts off the
    rest; lines and columns are those of the text. Raises as `parse_python` does.
    """
    lines, first = text.split("\n"), None
    for _ in range(MAX_REPAIRS):
        try:
            tree = parse_python("\n".join(lines))
            _put_back(tree, text.split("\n"), lines)
            return tree, first
        except SyntaxError as error:
            first = first or error
            if not _repaired(lines, error):
                break
    assert first is not None
    raise first


def _repaired(lines: list[str], error: SyntaxError) -> bool:
    """Whether the lines were changed where the error stands."""
    at, before = (error.lineno or 0) - 1, list(lines)
    headless = BLOCK.search(error.msg)
    if headless:
        at = int(headless[1]) - 1
        lines[at] += " pass"
    elif not 0 <= at < len(lines):
        return False
    elif error.msg == "unexpected indent":
        above = next((_indent(each) for each in lines[:at][::-1] if each.strip()), 0)
        shift = _indent(lines[at]) - above
        for number in range(at, len(lines)):
            depth = _indent(lines[number]) if lines[number].strip() else len(lines[number])
            if above and lines[number].strip() and depth < shift + above:
                break
            shift = min(shift, depth) if lines[number].strip() else shift
            lines[number] = lines[number][min(shift, depth) :]
    elif "never closed" in error.msg or "unterminated triple" in error.msg:
        del lines[at:]
    elif "'except' or 'finally'" in error.msg and (
        cut := [n for n in range(at) if lines[n].strip() == "try:"]
    ):
        lines[cut[-1]] = lines[cut[-1]].replace("try:", "if 1:")
    else:
        fits = "unindent" not in error.msg
        lines[at] = " " * _indent(lines[at]) + "pass" if fits else ""
    return lines != before


def _put_back(tree: ast.Module, written: list[str], read: list[str]) -> None:
    """Columns as they were before blocks were moved."""
    moved = [_indent(one) - _indent(other) for one, other in zip(written, read, strict=False)]
    for node in ast.walk(tree) if any(moved) else ():
        if isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias):
            node.col_offset += moved[node.lineno - 1]
            if node.end_lineno is not None and node.end_col_offset is not None:
                node.end_col_offset += moved[node.end_lineno - 1]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


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
