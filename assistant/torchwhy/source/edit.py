"""What an edit of the user's lines is, and how a part of one is written anew."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from torchwhy.paste.place import UserFrame
from torchwhy.text.lazy_re import lazy_compile

from .nodes import LinePart, argument, receiver

IT = "{it}"  # in what is written: what stood there
FIRST_ARGUMENT, RECEIVER = "{argument0}", "{object}"  # of the call, as the user wrote them
KEYWORD = lazy_compile(r",\s*(\w+)=")
NAMED = (ast.Name, ast.Attribute)  # which runs nothing when it is written twice
# What a method or an index can be written behind without brackets, and with them.
OPERANDS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
IN_BRACKETS = (ast.BinOp, ast.UnaryOp, ast.Compare)

Values = Mapping[str, str]


class LineEdit(NamedTuple):
    """A part of one of the user's lines, and the whole line as it reads afterwards, "" where it goes. None:
    nothing is edited, and the place only tells that the change fits the file.

    `after` may be several lines: each behind the first with the indentation that it has in the file.
    `values`: what the words of the change may fill in beside the message's values. `alone`: nothing but the
    failing case can change, so nobody has to look. `more`: other lines that are edited with it, of any file.
    """

    place: LinePart
    after: str | None = None
    values: Values = MappingProxyType({})
    alone: bool = False
    more: tuple[LineEdit, ...] = ()

    def with_more(self, *others: LineEdit | None) -> LineEdit | None:
        """These edits as one; None where one is None, or two are of one line."""
        more = [*self.more]
        for other in others:
            if other is None:
                return None
            more += [other._replace(more=()), *other.more]
        places = {(each.place.file, each.place.line) for each in (self, *more)}
        return self._replace(more=(*more,)) if len(places) == 1 + len(more) else None


def alone(edit: LineEdit | None) -> LineEdit | None:
    """The edit as one of which nobody has to look how far it reaches: whoever made it did."""
    return edit._replace(alone=True) if edit is not None else None


def rewritten(
    here: UserFrame, node: ast.expr | None, new: str, call: ast.Call | None = None, base: str = ""
) -> LineEdit | None:
    """A line with `new` in the place of a node that was read off it (off `base`, a part of it); `call`: whose
    argument it is. None where that is not clear, and where it reads so already.
    """
    place = place_in(here, node, base or here.code)
    filled = with_own_parts(call, new) if call is not None else new
    if place is None or filled is None:
        return None
    before, it, behind = filled.partition(IT)
    written = place.written
    if it and behind.startswith((".", "[")):
        if not isinstance(node, (*OPERANDS, *IN_BRACKETS)):
            return None
        written = written if isinstance(node, OPERANDS) else f"({written})"
    keyword = KEYWORD.match(behind) if not before and call is not None else None
    if (
        keyword
        and call is not None
        and (argument(call, -1, keyword[1]) is not None or node in call.args[:-1])
    ):
        return None  # given already, or a positional argument would come behind a keyword
    if it and place.written.startswith(before) and place.written.endswith(behind):
        return None
    return LineEdit(place, place.with_text(before + written + behind if it else filled))


def place_in(here: UserFrame, node: ast.expr | None, base: str) -> LinePart | None:
    """Where a node that was read off `base`, a part of a line, stands in the line; None where that is not
    clear.
    """
    if node is None or isinstance(node, ast.Starred) or not base.isascii() or here.code.count(base) != 1:
        return None
    if not node.lineno == node.end_lineno == 1:
        return None
    at = here.code.find(base)
    return LinePart(here.file, here.line, here.code, at + node.col_offset, at + (node.end_col_offset or 0))


def with_own_parts(call: ast.Call, text: str) -> str | None:
    """`text` with the call's first argument and what its method is called on, as the user wrote them; None
    where one is called itself, and would run twice.
    """
    first = call.args[0] if call.args and isinstance(call.args[0], NAMED) else None
    owner = receiver(call)
    for name, node in ((FIRST_ARGUMENT, first), (RECEIVER, owner if isinstance(owner, ast.Name) else None)):
        if name in text:
            if node is None:
                return None
            text = text.replace(name, ast.unparse(node))
    return text
