"""From an entry's edit to a line of the user's: which line is meant, and how it reads afterwards."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import NamedTuple

from torchwhy.knowledge.entry import LAST, OWN_CLASS, WRAPPED, EditTemplate
from torchwhy.paste.place import UserFrame
from torchwhy.source.line import failing_call, only_call
from torchwhy.source.module import Module
from torchwhy.source.nodes import LinePart, argument, constant, inside, number_of, returned, words
from torchwhy.source.own_file import calls_of, makers, methods_of, names_of, read_source, value_of

from .in_place import made_and_written
from .line_edits import (
    given_at,
    place_in,
    with_appended,
    with_own_parts,
    with_returned,
    with_text,
    with_wrapped,
)
from .origins import Origin, origin_of

TURNS = words("transpose permute movedim moveaxis swapaxes swapdims t T mT")
NO_ITEM = 1_000  # more than a list in one line has
Edited = tuple[LinePart, str]  # what is changed, and the whole line then: "" where the place alone is meant


class Around(NamedTuple):
    """What is known of the user's program: the line that failed, its file, the lines that called its
    function, the innermost first, and what made the objects of the failing line.
    """

    here: UserFrame
    source: Module | None
    callers: Sequence[UserFrame]
    origins: Sequence[Origin]


def edited_line(edit: EditTemplate, at: Around) -> Edited | None:
    """The edit, with the numbers of the message filled in, of the user's own line; None where it does not
    follow from what is known.
    """
    source, here = at.source, at.here
    if not _uses(source, edit):
        return None
    if source is None:
        if edit.made or edit.called or edit.returns or edit.defines:
            return None  # a line elsewhere in the file is meant: the failing one does not stand for it
    elif edit.made and edit.keyword:
        return _with_keyword(source, makers(source, here, edit.made), edit.keyword)
    elif edit.made and edit.rename:
        return _renamed(source, makers(source, here, edit.made), edit.rename)
    elif edit.made:
        return _of_maker(source, edit, at)
    elif edit.called:
        return _of_call(source, edit, here)
    elif edit.returns:
        return _of_return(source, edit)
    elif edit.defines:
        return _defined(source, *edit.defines.split("."))
    elif edit.written:
        made = made_and_written(source, edit.written)
        return (made, made.with_text(made.written + (edit.append or ""))) if made else None
    return _of_failing_line(edit, at) if here.code else None


def _of_failing_line(edit: EditTemplate, at: Around) -> Edited | None:
    """The failing line changed, or the one that made what its call is given."""
    here = at.here
    if edit.origin:
        return _behind_origin(edit, at)
    if edit.wrap:
        after = with_wrapped(here, edit.argument, edit.name, edit.wrap, _item(edit), edit.call)
    elif edit.append:
        after = with_appended(here, edit.argument, edit.name, edit.append, edit.call)
    elif edit.line:
        after = with_text(here.code, edit.line, edit.to or "")
    else:
        after = ""
    if after is None or after == here.code:
        return None
    return LinePart(here.file, here.line, here.code, 0, len(here.code)), after


def _uses(source: Module | None, edit: EditTemplate) -> bool:
    """Whether the file uses one of the names of `has`, and none of those of `lacks`."""
    if not edit.has and not edit.lacks:
        return True
    used = names_of(source) if source is not None else set()
    has = not edit.has or not used.isdisjoint(edit.has.split("|"))
    return source is not None and has and used.isdisjoint((edit.lacks or "").split("|"))


def _item(edit: EditTemplate) -> int | None:
    """Which thing of a list is meant: -1 the last, NO_ITEM where that is no number."""
    if edit.item is None or edit.item == LAST:
        return None if edit.item is None else -1
    return int(edit.item) if edit.item.isdecimal() else NO_ITEM


def _line_at(source: Module, line: int) -> LinePart:
    text = source.lines[line - 1]
    return LinePart(source.path, line, text, 0, len(text))


def _of_return(source: Module, edit: EditTemplate) -> Edited | None:
    """The only `return` of a method, pointed at or with something behind the value of which the message
    speaks.
    """
    owner, _, method = (edit.returns or "").partition(".")
    values = [value for each in methods_of(source, owner, method) for value in returned(each)]
    if len(values) != 1:
        return None
    place = _line_at(source, source.statement(values[0]).lineno)
    after = with_returned(place.text.strip(), _item(edit) or 0, edit.append) if edit.append else ""
    return None if after is None else (place, after)


def _defined(source: Module, owner: str, name: str) -> Edited | None:
    """The only method of that class that nothing calls, under the name that is missing."""
    classes = [each for each in source.of(ast.ClassDef) if each.name == owner]
    methods = [each for cls in classes for each in cls.body if isinstance(each, ast.FunctionDef)]
    used = {each.attr for each in source.of(ast.Attribute)}
    left = [each for each in methods if each.name not in used and not each.name.startswith("__")]
    left = [each for each in left if len(each.args.args) > 1]
    if len(left) != 1 or any(each.name == name for each in methods):
        return None
    place = _line_at(source, left[0].lineno)
    return place, place.text.strip().replace(f"def {left[0].name}(", f"def {name}(")


def _renamed(source: Module, calls: list[ast.Call], name: str) -> Edited | None:
    """The only one of these calls under another name; only of `nn.Name(`, which needs no other import."""
    if len(calls) != 1 or not isinstance(calls[0].func, ast.Attribute):
        return None
    place, old = _line_at(source, calls[0].lineno), f".{calls[0].func.attr}("
    return (place, place.text.strip().replace(old, f".{name}(")) if place.text.count(old) == 1 else None


def _behind_origin(edit: EditTemplate, at: Around) -> Edited | None:
    """The suffix behind the only call of that name in the line that made the failing call's argument."""
    call = failing_call(at.here)
    if call is None or not 0 <= edit.argument < len(call.args):
        return None
    origin = origin_of(at.origins, ast.unparse(call.args[edit.argument]))
    if origin is None:
        return None
    place = place_in(origin.code, origin.code, only_call(origin.code, edit.origin or ""))
    if place is None or origin.code[place.end :].startswith(edit.append or ""):
        return None
    return place._replace(file=origin.file, line=origin.line), place.with_text(
        place.written + (edit.append or "")
    )


def _of_maker(source: Module, edit: EditTemplate, at: Around) -> Edited | None:
    """An argument of the call that made the failing object."""
    calls = makers(source, at.here, edit.made or "")
    found = _places(source, [given_at(call, edit.argument, edit.name) for call in calls])
    if edit.was:
        certain = {place: node for place, node in found.items() if str(number_of(node)) == edit.was}
        # a layer whose size is a name is the one only where no other could be
        known = any(number_of(node) is not None for node in found.values())
        found = certain or ({} if known else found)
    if len(found) != 1 or _is_turned(at.here):
        return None
    [(place, node)] = found.items()
    new = edit.to or ""
    for outer, given in _made_outside(source, node, at).items():
        if not new or (edit.was and str(number_of(given)) == edit.was):
            place, node = outer, given
    if not new:
        return place, ""
    if "{" + WRAPPED + "}" in new:
        simple = place.written.replace(".", "").isidentifier() or place.written.isdecimal()
        new = new.replace("{" + WRAPPED + "}", place.written if simple else f"({place.written})")
    product = _as_product(place, node, new)
    return place, place.with_text(new) + (f"  # {product}" if product else "")


def _is_turned(here: UserFrame) -> bool:
    """Whether the line turns what it gives the layer: then that may be the mistake, and a layer of the size
    that arrives would run and be wrong.
    """
    call = failing_call(here)
    given = call.args[0] if call is not None and call.args else None
    return any(each.attr in TURNS for each in inside(given, ast.Attribute))


def _places(source: Module, nodes: list[ast.expr | None]) -> dict[LinePart, ast.expr]:
    """Where these stand, each once; those that are not given, or not on one line, are left out."""
    found = [(source.place_of(node), node) for node in nodes if not isinstance(node, ast.Starred)]
    return {place: node for place, node in found if place is not None and node is not None}


def _made_outside(source: Module, node: ast.expr, at: Around) -> dict[LinePart, ast.expr]:
    """Where the object around the failing line got what its class hands on as `node`: of
    `nn.Conv2d(width, width, 3)` in a Block the `Block(32)` that made the one which the caller calls.

    Nothing where it is no bare parameter of the class's `__init__` that this line alone uses (what else is
    made of it would change too), or the object is not plain.
    """
    around = source.around(at.here.line or 0, ast.ClassDef)
    begins = list(methods_of(source, around[-1].name, "__init__")) if around else []
    names = [each.arg for each in begins[0].args.args[1:]] if begins else []
    if not at.callers or not isinstance(node, ast.Name) or node.id not in names:
        return {}
    if {each.lineno for each in inside(begins[0], ast.Name) if each.id == node.id} != {node.lineno}:
        return {}
    caller = at.callers[0]
    outside = read_source(caller)
    calls = makers(outside, caller, around[-1].name, owners=1) if outside is not None else []
    if outside is None or len(calls) != 1:
        return {}
    return _places(outside, [given_at(calls[0], names.index(node.id), node.id)])


def _of_call(source: Module, edit: EditTemplate, here: UserFrame) -> Edited | None:
    """The only call of that name in the file, as far as `where` and `was` tell them apart."""
    around = source.around(here.line or 0, ast.ClassDef)
    own = around[-1].name if around else ""
    calls = calls_of(source, own if edit.called == OWN_CLASS else edit.called or "")
    name, _, wanted = (edit.where or "").partition("=")
    if name:
        given = [(call, argument(call, -1, name)) for call in calls]
        calls = [call for call, node in given if node is not None and str(value_of(source, node)) == wanted]
    if not edit.to:
        return _with_keyword(source, calls, edit.keyword or "")
    found = [
        (call, place)
        for call in calls
        for place, node in _places(source, [given_at(call, edit.argument, edit.name)]).items()
        if not edit.was or str(value_of(source, node)) == edit.was
    ]
    new = with_own_parts(found[0][0], edit.to) if len(found) == 1 else None
    return None if new is None else (found[0][1], found[0][1].with_text(new))


def _with_keyword(source: Module, calls: list[ast.Call], keyword: str) -> Edited | None:
    """The only one of these calls with the keyword added, or pointed at where there is none to add; of
    several, the only one that shuffles (the loader of the training data).
    """
    calls = [call for call in calls if argument(call, -1, keyword.partition("=")[0]) is None]
    if len(calls) > 1:
        calls = [call for call in calls if constant(argument(call, -1, "shuffle")) is True]
    if len(calls) != 1:
        return None
    call, place = calls[0], source.place_of(calls[0])
    if place is None or not keyword:
        return _line_at(source, call.lineno), ""
    inner = place.written[:-1].rstrip().removesuffix(",").rstrip()
    comma = ", " if call.args or call.keywords else ""
    return place, place.with_text(f"{inner}{comma}{keyword})")


def _as_product(place: LinePart, node: ast.expr, new: str) -> str:
    """The new number as channels by height by width, where the old one was written so; "" otherwise."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        node = node.left
    channels = number_of(node)
    if place.written.count("*") != 2 or not channels or not new.isdecimal() or int(new) % channels:
        return ""
    side = math.isqrt(int(new) // channels)
    return f"{channels} * {side} * {side}" if side > 1 and side * side * channels == int(new) else ""
