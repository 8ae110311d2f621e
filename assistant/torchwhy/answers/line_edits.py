"""The failing line with something written behind one of its parts, or around it."""

from __future__ import annotations

import ast

from torchwhy.knowledge.entry import (
    A_PRODUCT,
    AN_INDEX,
    BESIDE,
    FIRST_ARGUMENT,
    OTHERS,
    RECEIVER,
    WRAPPED,
)
from torchwhy.paste.place import UserFrame
from torchwhy.source.line import failing_call, only_call, parsed_line
from torchwhy.source.nodes import LinePart, argument, inside
from torchwhy.text.lazy_re import lazy_compile

OPERATORS = ("and", "or", "not")
DECIDING = (ast.If, ast.While, ast.Assert, ast.IfExp, ast.comprehension)
KEYWORD = lazy_compile(r",\s*(\w+)=")
SIMPLE = (ast.Name, ast.Attribute, ast.Constant)  # which runs nothing when it is written twice
# What a method or an index can be written behind without brackets.
OPERANDS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
IN_BRACKETS = (ast.BinOp, ast.UnaryOp, ast.Compare)  # what it can with them


def with_appended(
    here: UserFrame, at: int, keyword: str | None, suffix: str, name: str | None = None
) -> str | None:
    """The failing line with `suffix` behind one argument of the failing call, or of the only call of `name`
    there; None where that is not clear.
    """
    node, base, call = _meant(here, at, keyword, name)
    place = place_in(here.code, base, node)
    named = call is not None and not suffix.startswith((".", "["))
    bare = named or isinstance(node, OPERANDS)
    if place is None or not (bare or (call is not None and isinstance(node, IN_BRACKETS))):
        return None
    new = KEYWORD.match(suffix)
    if call is not None and new and (argument(call, -1, new[1]) is not None or node in call.args[:-1]):
        return None  # given already, or a positional argument would come behind a keyword
    filled = with_own_parts(call, suffix) if call is not None else suffix
    if filled is None or place.written.endswith(filled):
        return None
    return place.with_text((place.written if bare else f"({place.written})") + filled)


def with_text(code: str, old: str, new: str) -> str | None:
    """The line with its only `old` as `new`; None where that is not clear, and where an operator
    in place of another (`&` for `and`) would take other operands, or would still decide something.
    """
    after = code.replace(old, new) if old and code.count(old) == 1 else None
    if after is None or old.strip() not in OPERATORS:
        return after
    before, changed = parsed_line(code), parsed_line(after)
    if before is None or changed is None or any(inside(before, *DECIDING)):
        return None
    return after if _operands(before) == _operands(changed) else None


def _operands(tree: ast.AST) -> list[list[str]]:
    """What stands beside each `and`, `or`, `not`, `&`, `|` and `~` of a line."""
    found: list[list[ast.expr]] = []
    for node in inside(tree, ast.BoolOp, ast.BinOp, ast.UnaryOp):
        if isinstance(node, ast.BoolOp):
            found.append(node.values)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
            found.append([node.left, node.right])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
            found.append([node.operand])
    return [[ast.unparse(each) for each in operands] for operands in found]


def with_returned(code: str, item: int, suffix: str) -> str | None:
    """A line `return a, b` with `suffix` behind the value at that place; None where none can stand there."""
    returns = next(inside(parsed_line(code), ast.Return), None)
    value = returns.value if returns is not None else None
    values = value.elts if isinstance(value, ast.Tuple) else [value] if value is not None else []
    node = values[item] if item < len(values) else None
    place = place_in(code, code, node)
    if place is None or any(isinstance(each, ast.Starred) for each in values):
        return None
    if not isinstance(node, (*OPERANDS, *IN_BRACKETS)):
        return None
    written = place.written if isinstance(node, OPERANDS) else f"({place.written})"
    return place.with_text(written + suffix)


def with_wrapped(
    here: UserFrame,
    at: int,
    keyword: str | None,
    around: str,
    item: int | None = None,
    name: str | None = None,
) -> str | None:
    """The failing line with an argument of the failing call inside `around`, or one thing of the list that
    stands there; None where that is not clear.
    """
    node, base, call = _meant(here, at, keyword, name)
    if item is not None:
        things = node.elts if isinstance(node, ast.List | ast.Tuple) else []
        if len(things) < 2 or item >= len(things):
            return None
        node = things[item]
        others = [each for each in things if each is not node]
        if not isinstance(others[0], ast.Name | ast.Attribute):
            return None  # what is called would run twice
        if "{" + OTHERS + "}" in around and not all(isinstance(each, SIMPLE) for each in others):
            return None
        around = around.replace("{" + BESIDE + "}", ast.unparse(others[0]))
        around = around.replace("{" + OTHERS + "}", " - ".join(map(ast.unparse, others)))
    place = place_in(here.code, base, node)
    filled = with_own_parts(call, around) if call is not None else None
    if place is None or filled is None:
        return None
    bare = isinstance(node, OPERANDS) or ("{" + WRAPPED + "}.") not in filled
    return place.with_text(
        filled.replace("{" + WRAPPED + "}", place.written if bare else f"({place.written})")
    )


def with_own_parts(call: ast.Call, text: str) -> str | None:
    """`text` with the call's first argument and what its method is called on, as the user wrote them; None
    where one is called itself, and would run twice.
    """
    first = call.args[0] if call.args and isinstance(call.args[0], ast.Name | ast.Attribute) else None
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    for name, node in ((FIRST_ARGUMENT, first), (RECEIVER, owner if isinstance(owner, ast.Name) else None)):
        if "{" + name + "}" in text:
            if node is None:
                return None
            text = text.replace("{" + name + "}", ast.unparse(node))
    return text


def given_at(call: ast.Call, at: int, keyword: str | None) -> ast.expr | None:
    """The argument of that name, else the one at that place (-1: the last); None where it is not given."""
    node = argument(call, -1, keyword)
    if node is None and -len(call.args) <= at < len(call.args):
        node = call.args[at]
    return node


def place_in(code: str, base: str, node: ast.expr | None) -> LinePart | None:
    """Where a node that was read off `base`, a part of a line, stands in the line; None where that is not
    clear.
    """
    if node is None or isinstance(node, ast.Starred) or not base.isascii() or code.count(base) != 1:
        return None
    if not node.lineno == node.end_lineno == 1:
        return None
    at = code.find(base)
    return LinePart("", None, code, at + node.col_offset, at + (node.end_col_offset or 0))


def _meant(
    here: UserFrame, at: int, keyword: str | None, name: str | None
) -> tuple[ast.expr | None, str, ast.Call | None]:
    """(node, the text that it was read off, the call whose argument it is): of the failing call, of the only
    call of `name`, the failing index, or an operand of the only matrix product.
    """
    if name == AN_INDEX:
        base = here.expression or here.code
        indices = [each.slice for each in inside(parsed_line(base), ast.Subscript)]
        return indices[0] if len(indices) == 1 else None, base, None
    if name == A_PRODUCT:
        every = inside(parsed_line(here.code), ast.BinOp)
        products = [each.right if at else each.left for each in every if isinstance(each.op, ast.MatMult)]
        return products[0] if len(products) == 1 else None, here.code, None
    call = only_call(here.code, name) if name else failing_call(here)
    if call is None:
        return None, "", None
    marked = here.expression and not name
    if marked and ast.get_source_segment(here.expression, call.func) == ast.unparse(call.func):
        return given_at(call, at, keyword), here.expression, call
    return given_at(call, at, keyword), here.code, call
