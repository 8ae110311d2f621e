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
from torchwhy.text.lazy_re import lazy_compile

from .own_source import failing_call, only_call, parsed_line

OPERATORS = ("and", "or", "not")
DECIDING = (ast.If, ast.While, ast.Assert, ast.IfExp, ast.comprehension)
KEYWORD = lazy_compile(r",\s*(\w+)=")
SIMPLE = (ast.Name, ast.Attribute, ast.Constant)  # which runs nothing when it is written twice
# What a method or an index can be written behind without brackets.
OPERANDS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
IN_BRACKETS = (ast.BinOp, ast.UnaryOp, ast.Compare)  # what it can with them


def with_appended(
    here: UserFrame, argument: int, keyword: str | None, suffix: str, name: str | None = None
) -> str | None:
    """The failing line with `suffix` behind one argument of the failing call, or of the only call of `name`
    there; None where that is not clear.
    """
    if name == AN_INDEX:
        return _with_index(here, suffix)
    if name == A_PRODUCT:
        return _with_operand(here, argument, suffix)
    call = only_call(here.code, name) if name else failing_call(here)
    if call is None:
        return None
    node, base = _argument_of(call, argument, keyword), _base_of(here, call, name)
    written = ast.get_source_segment(base, node) if node is not None else None
    if node is None or written is None or not base.isascii() or node.lineno != 1:
        return None
    new = KEYWORD.match(suffix)
    if new and (any(one.arg == new[1] for one in call.keywords) or node in call.args[:-1]):
        return None  # given already, or a positional argument would come behind a keyword
    bare = isinstance(node, OPERANDS) or not suffix.startswith((".", "["))
    if not bare and not isinstance(node, IN_BRACKETS):
        return None
    if "{" + FIRST_ARGUMENT + "}" in suffix:
        if not call.args or not isinstance(call.args[0], ast.Name | ast.Attribute):
            return None  # what is called would run twice
        suffix = suffix.replace("{" + FIRST_ARGUMENT + "}", ast.unparse(call.args[0]))
    if "{" + RECEIVER + "}" in suffix:
        if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Name):
            return None
        suffix = suffix.replace("{" + RECEIVER + "}", call.func.value.id)
    if written.endswith(suffix):
        return None
    at = here.code.find(base)
    start, end = at + node.col_offset, at + (node.end_col_offset or 0)
    if not bare:
        written = f"({written})"
    return here.code[:start] + written + suffix + here.code[end:]


def with_text(code: str, old: str, new: str) -> str | None:
    """The line with its only `old` as `new`; None where that is not clear, and where an operator
    in place of another (`&` for `and`) would take other operands, or would still decide something.
    """
    after = code.replace(old, new) if old and code.count(old) == 1 else None
    if after is None or old.strip() not in OPERATORS:
        return after
    before, changed = parsed_line(code), parsed_line(after)
    if before is None or changed is None or any(isinstance(node, DECIDING) for node in ast.walk(before)):
        return None
    return after if _operands(before) == _operands(changed) else None


def _operands(tree: ast.AST) -> list[list[str]]:
    """What stands beside each `and`, `or`, `not`, `&`, `|` and `~` of a line."""
    found: list[list[ast.expr]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp):
            found.append(node.values)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
            found.append([node.left, node.right])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
            found.append([node.operand])
    return [[ast.unparse(each) for each in operands] for operands in found]


def with_returned(code: str, item: int, suffix: str) -> str | None:
    """A line `return a, b` with `suffix` behind the value at that place; None where none can stand there."""
    tree = parsed_line(code)
    node = next((each for each in ast.walk(tree) if isinstance(each, ast.Return)), None) if tree else None
    value = node.value if node is not None else None
    values = value.elts if isinstance(value, ast.Tuple) else [value]
    found = values[item] if item < len(values) else None
    if found is None or not isinstance(found, (*OPERANDS, *IN_BRACKETS)) or not code.isascii():
        return None
    if found.lineno != found.end_lineno or any(isinstance(each, ast.Starred) for each in values):
        return None
    written = code[found.col_offset : found.end_col_offset]
    if not isinstance(found, OPERANDS):
        written = f"({written})"
    return code[: found.col_offset] + written + suffix + code[found.end_col_offset or 0 :]


def with_wrapped(
    here: UserFrame,
    argument: int,
    keyword: str | None,
    around: str,
    item: int | None = None,
    name: str | None = None,
) -> str | None:
    """The failing line with an argument of the failing call inside `around`, or one thing of the list that
    stands there; None where that is not clear.
    """
    call = only_call(here.code, name) if name else failing_call(here)
    if call is None:
        return None
    node, base = _argument_of(call, argument, keyword), _base_of(here, call, name)
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
    if "{" + FIRST_ARGUMENT + "}" in around:
        if not call.args or not isinstance(call.args[0], ast.Name | ast.Attribute):
            return None
        around = around.replace("{" + FIRST_ARGUMENT + "}", ast.unparse(call.args[0]))
    if node is None or isinstance(node, ast.Starred) or not base.isascii() or node.end_lineno != 1:
        return None
    written = ast.get_source_segment(base, node)
    if written is None or here.code.count(base) != 1:
        return None
    if not isinstance(node, OPERANDS) and ("{" + WRAPPED + "}.") in around:
        written = f"({written})"
    at = here.code.find(base)
    start, end = at + node.col_offset, at + (node.end_col_offset or 0)
    return here.code[:start] + around.replace("{" + WRAPPED + "}", written) + here.code[end:]


def _argument_of(call: ast.Call, argument: int, keyword: str | None) -> ast.expr | None:
    """The argument of that name, else the one at that place; None where it is not given."""
    node = next((each.value for each in call.keywords if keyword and each.arg == keyword), None)
    if node is None and -len(call.args) <= argument < len(call.args):
        node = call.args[argument]
    return node


def _base_of(here: UserFrame, call: ast.Call, name: str | None) -> str:
    """The text that the call was read off: what the carets mark, or the line."""
    marked = here.expression and not name and _reads(here.expression, call)
    return here.expression if marked else here.code


def _with_index(here: UserFrame, suffix: str) -> str | None:
    """The failing line with `suffix` behind the index that failed (`x[src]` -> `x[src.long()]`); None where
    it has several.
    """
    base = here.expression or here.code
    tree = parsed_line(base)
    indices = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript)] if tree else []
    return _behind(here, base, indices[0].slice if len(indices) == 1 else None, suffix)


def _with_operand(here: UserFrame, argument: int, suffix: str) -> str | None:
    """The failing line with `suffix` behind the left (0) or right (1) operand of the only matrix product."""
    tree = parsed_line(here.code)
    found = [
        node
        for node in (ast.walk(tree) if tree else ())
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
    ]
    node = (found[0].right if argument else found[0].left) if len(found) == 1 else None
    return _behind(here, here.code, node, suffix)


def _behind(here: UserFrame, base: str, node: ast.expr | None, suffix: str) -> str | None:
    written = ast.get_source_segment(base, node) if isinstance(node, OPERANDS) else None
    if node is None or written is None or not base.isascii() or node.lineno != 1:
        return None
    if written.endswith(suffix) or here.code.count(base) != 1:
        return None
    at = here.code.find(base) + (node.end_col_offset or 0)
    return here.code[:at] + suffix + here.code[at:]


def _reads(text: str, call: ast.Call) -> bool:
    """Whether the call was read off this text."""
    return ast.get_source_segment(text, call.func) == ast.unparse(call.func)
