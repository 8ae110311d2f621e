"""Edits of whole lines: statements that come, go, move or stand under a header."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .edit import IT, LineEdit
from .known_line import KnownLine
from .module import Module
from .nodes import LinePart


class EditedLines(KnownLine):
    """The words for lines of the failing one's file."""

    def put(self, node: ast.expr | None, new: str) -> LineEdit | None:
        """`new` in the place of a node of the file, which stands on one line; {it} in it is the node."""
        place = self.source.place_of(node) if self.source is not None else None
        if place is None:
            return None
        return LineEdit(place, place.with_text(new.replace(IT, place.written)))

    def put_each(self, nodes: Sequence[ast.expr], new: str) -> LineEdit | None:
        """`put` of each of these, as one edit."""
        places = [self.source.place_of(each) for each in nodes] if self.source is not None else []
        return self.put_all(
            [(each, new.replace(IT, each.written)) if each else (None, "") for each in places]
        )

    def put_all(self, parts: Sequence[tuple[LinePart | None, str]]) -> LineEdit | None:
        """Each of these parts of the file as that text; None where one is not on one line."""
        lines: dict[int | None, str] = {}
        for place, new in sorted(parts, key=lambda part: part[0].start if part[0] else 0, reverse=True):
            if place is None:
                return None
            text = lines.get(place.line, place.text)
            lines[place.line] = text[: place.start] + new + text[place.end :]
        found = [self.shown(line, text.strip()) for line, text in sorted(lines.items()) if line]
        first = found[0] if found else None
        return first.with_more(*found[1:]) if first is not None else None

    def shown(self, line: int, after: str | None = None) -> LineEdit | None:
        """A line of the file, by its number, and as it is to read."""
        if self.source is None:
            return None
        text = self.source.lines[line - 1]
        return LineEdit(LinePart(self.source.path, line, text, 0, len(text)), after)

    def put_before(self, statement: ast.stmt, text: str) -> LineEdit | None:
        """Lines in front of a statement, indented as it is (`text` begins at column 0)."""
        return self._put(statement, text, "")

    def put_behind(self, statement: ast.stmt, text: str) -> LineEdit | None:
        """Lines behind a statement, indented as it is."""
        return self._put(statement, "", text)

    def _put(self, statement: ast.stmt, above: str, below: str) -> LineEdit | None:
        source, rows = self.source, own_lines(self.source, statement) if self.source is not None else None
        if source is None or rows is None:
            return None
        indent = source.lines[statement.lineno - 1][: statement.col_offset]
        at = rows.start if above else rows.stop - 1
        put = [f"{indent}{row}" for row in (above or below).split("\n")]
        here = [source.lines[at - 1]]
        return self.shown(at, "\n".join(put + here if above else here + put).strip())

    def taken_away(self, statement: ast.stmt) -> LineEdit | None:
        """Without a statement's lines; None where another one stands on them, or it is the only one of its
        block.
        """
        source = self.source
        rows = own_lines(source, statement) if source is not None else None
        if source is None or rows is None or is_only_one(source.parent[statement], statement):
            return None
        first, *others = (self.shown(row, "") for row in rows)
        return first.with_more(*others) if first is not None else None

    def moved(
        self, statements: Sequence[ast.stmt], before: ast.stmt | None = None, behind: ast.stmt | None = None
    ) -> LineEdit | None:
        """Statements in front of another one, or behind it, their lines as they are."""
        texts = [self._text_of(each) for each in statements]
        text = "\n".join(each or "" for each in texts)
        put = self.put_before(before, text) if before is not None else None
        put = self.put_behind(behind, text) if behind is not None else put
        if put is None or not all(texts):
            return None
        return put.with_more(*map(self.taken_away, statements))

    def _text_of(self, statement: ast.stmt) -> str | None:
        """A statement's lines from its own column on; None where a text on several lines would change."""
        source, rows = self.source, own_lines(self.source, statement) if self.source is not None else None
        if source is None or rows is None:
            return None
        column, lines = statement.col_offset, [source.lines[row - 1] for row in rows]
        return (
            None
            if any(each[:column].strip() for each in lines)
            else "\n".join(each[column:] for each in lines)
        )

    def wrapped(self, statements: Sequence[ast.stmt], header: str) -> LineEdit | None:
        """Statements one behind the other under a header (`with torch.no_grad():`)."""
        source = self.source
        found = [own_lines(source, each) for each in statements] if source is not None else []
        if source is None or not found or not all(found) or not all(map(self._text_of, statements)):
            return None
        rows = [row for each in found if each is not None for row in each]
        texts = {row: source.lines[row - 1].strip() for row in rows if source.lines[row - 1].strip()}
        first, *others = (self.shown(row, f"    {text}") for row, text in texts.items())
        column = statements[0].col_offset
        line = source.lines[rows[0] - 1]
        put = self.shown(rows[0], f"{header}\n{line[:column]}    {line.strip()}")
        return put.with_more(*others) if put is not None and first is not None else None


def own_lines(source: Module, statement: ast.stmt) -> range | None:
    """The numbers of a statement's lines, its decorators' too; None where something else stands on them."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(each.lineno for each in decorators)])
    last = statement.end_lineno or first
    ahead = source.lines[statement.lineno - 1].encode()[: statement.col_offset]
    behind = source.lines[last - 1].encode()[statement.end_col_offset or 0 :].strip()
    if ahead.strip(b" ") or (behind and not behind.startswith(b"#")):
        return None
    return range(first, last + 1)


def is_only_one(above: ast.AST, statement: ast.stmt) -> bool:
    """Whether a block of the node above consists of this statement alone."""
    return any(block == [statement] for _, block in ast.iter_fields(above))
