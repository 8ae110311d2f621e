"""Operands that lack a dimension behind their own, as their shapes show."""

import ast
from collections.abc import Iterator, Sequence

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values
from torchwhy.source.line import parsed_line
from torchwhy.source.nodes import argument, constant, inside, last_name, words
from torchwhy.source.record import Sizes
from torchwhy.source.shapes import REDUCING, shape


def kept_dimension(line: FailingLine, values: Values) -> LineEdit | None:
    """`x / x.sum(1)` with keepdim=True, where what is reduced has the shape of the other operand."""
    for text, one, other in _pairs(line):
        call = one.value if isinstance(one, ast.Attribute | ast.Subscript) else one
        if not isinstance(call, ast.Call) or last_name(call.func) not in REDUCING:
            continue
        first = 0 if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) != "torch" else 1
        whole = line.record.shape(
            call.func.value if isinstance(call.func, ast.Attribute) and not first else call.args[0]
        )
        dim = constant(argument(call, first, "dim", "axis"))
        written = ast.get_source_segment(text, call)
        if whole is None or whole != line.record.shape(other) or not isinstance(dim, int) or not written:
            continue
        if dim % len(whole) and argument(call, first + 1, "keepdim") is None:
            return line.written(call, text, f"{written[:-1]}, keepdim=True)")
    return None


def dimensions_behind(line: FailingLine, values: Values) -> LineEdit | None:
    """`x - mean` as `x - mean[:, None, None]`, where mean has as many numbers as only one dimension of x that
    is not the last; so all of the line that have as many.
    """
    for text, small, big in _pairs(line):
        one, other = line.record.shape(small), line.record.shape(big)
        if not isinstance(small, NAMED) or one is None or other is None or len(one) != 1:
            continue
        places = [at for at, size in enumerate(other) if size == one[0]]
        if one == (1,) or len(places) != 1 or places[0] == len(other) - 1:
            continue
        alike = [
            each for _, each, _ in _pairs(line) if isinstance(each, NAMED) and line.record.shape(each) == one
        ]
        new = text
        for at in sorted((each.end_col_offset or 0 for each in alike), reverse=True):
            new = new[:at] + "[:" + ", None" * (len(other) - 1 - places[0]) + "]" + new[at:]
        edit = line.replaced(text, new) if text.isascii() else None
        return edit._replace(alone=True) if edit is not None else None
    return None


def as_long_as(line: FailingLine, values: Values) -> LineEdit | None:
    """`x + self.places` with the first of the places, as many as x has, where they differ in nothing else."""
    for text, table, given in _pairs(line):
        one, other = line.record.shape(table), line.record.shape(given)
        if one is None or other is None or not isinstance(given, NAMED) or len(other) < 2:
            continue
        at, rest = len(other) - 2, (*one[:-2], *one[-1:])
        if (
            not isinstance(table, ast.Attribute)
            or len(one) < 2
            or one[-2] <= other[-2]
            or one[-1] != other[-1]
        ):
            continue
        if all(size == 1 for size in rest[:-1]):
            return line.written(
                table, text, "{it}[" + ":, " * (len(one) - 2) + f":{ast.unparse(given)}.size({at})]"
            )
    return None


def _shape(line: FailingLine, node: ast.expr) -> Sequence[object] | None:
    """The shape of what a name stands for, where the record does not say it as the file does."""
    known = line.record.shape(node)
    values = line.source.assigned(node) if line.source is not None and known is None else []
    return shape(line.source, values[0]) if line.source is not None and len(values) == 1 else known


def _pairs(line: FailingLine) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """The operands of the line's arithmetic, each first once, and the text that they were read off."""
    text = line.here.code
    for each in inside(parsed_line(text), ast.BinOp):
        if isinstance(each.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            yield text, each.left, each.right
            yield text, each.right, each.left
