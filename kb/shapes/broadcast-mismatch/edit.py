"""Operands that lack a dimension behind their own, as their shapes show."""

import ast
from collections.abc import Iterator, Sequence

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.line import parsed_line
from torchwhy.source.nodes import argument, constant, inside, last_name, receiver
from torchwhy.source.origins import origins
from torchwhy.source.shapes import FILLED, REDUCING, shape


def kept_dimension(line: FailingLine, values: Values) -> LineEdit | None:
    """`x / x.sum(1)` with keepdim=True, where what is reduced has the shape of the other operand; so all of the
    line that are reduced from that shape.
    """
    pairs = [(_reduced(line, one), other) for one, other in _pairs(line)]
    for found, other in pairs:
        if found is not None and found[1] == line.record.shape(other):
            calls = [each[0] for each, _ in pairs if each is not None and each[1] == found[1]]
            return _put(line, {(call.end_col_offset or 0) - 1: ", keepdim=True" for call in calls})
    return None


def mask_spread(line: FailingLine, values: Values) -> LineEdit | None:
    """The mask with each of its dimensions where what it masks has one of that size: batch first, keys last."""
    call, text = line.only("masked_fill|masked_fill_")
    mask = given_at(call, "0|mask") if call is not None else None
    whole = line.record.shape(call.func.value) if call and isinstance(call.func, ast.Attribute) else None
    own, index = line.record.shape(mask), [":", *["None"] * int(values["dim"])]
    if whole and own:
        at, kept = len(whole), {0} if own[0] == whole[0] else set()
        for size in reversed(own[1:]):
            at = next((each for each in reversed(range(1, at)) if whole[each] == size), 0)
            kept.add(at)
        index = (
            [":" if each in kept else "None" for each in range(len(whole))] if len(kept) == len(own) else []
        )
    return line.written(mask, text, f"{{it}}[{', '.join(index)}]") if index else None


def turned_otherwise(line: FailingLine, values: Values) -> LineEdit | None:
    """`q @ k.transpose(1, 2)` by the only two dimensions that make a product of two tensors of one shape."""
    source = line.source
    products = [
        each
        for each in inside(source.tree if source is not None else None, ast.BinOp)
        if isinstance(each.op, ast.MatMult) and each.lineno == line.here.line
    ]
    turned = [each.right for each in products if isinstance(each.right, ast.Call)]
    if len(turned) != 1 or last_name(turned[0].func) != "transpose" or len(turned[0].args) != 2:
        return None
    owner = receiver(turned[0])
    one, other = line.record.shape(products[0].left), line.record.shape(owner)
    if one is None or one != other or len(one) < 3:
        return None
    return alone(line.put(turned[0], f"{ast.unparse(turned[0].func)}({len(one) - 2}, {len(one) - 1})"))


def dimensions_behind(line: FailingLine, values: Values) -> LineEdit | None:
    """`x - mean` as `x - mean[:, None, None]`, where mean has as many numbers as only one dimension of x that
    is not the last; so all of the line that have as many.
    """
    for small, big in _pairs(line):
        one, other = line.record.shape(small), line.record.shape(big)
        if not isinstance(small, NAMED) or one is None or other is None or len(one) != 1:
            continue
        places = [at for at, size in enumerate(other) if size == one[0]]
        if one == (1,) or len(places) != 1 or places[0] == len(other) - 1:
            continue
        alike = [each for each, _ in _pairs(line) if isinstance(each, NAMED) and _shape(line, each) == one]
        if any(_is_read_elsewhere(line, each) for each in alike):
            return None  # there it may be too short as well
        index = "[:" + ", None" * (len(other) - 1 - places[0]) + "]"
        return _put(line, {each.end_col_offset or 0: index for each in alike})
    return None


def _is_read_elsewhere(line: FailingLine, node: ast.expr) -> bool:
    """Whether a name is read on other lines of its function, or its file is not known."""
    source, name = line.source, ast.unparse(node)
    there = source.around(line.here.line or 0, ast.FunctionDef) if source is not None else []
    near = [] if source is None else ast.walk(there[-1]) if there else source.of(type(node))
    reads = [each for each in near if isinstance(each, NAMED) and isinstance(each.ctx, ast.Load)]
    return source is None or any(
        ast.unparse(each) == name and each.lineno != line.here.line for each in reads
    )


def as_long_as(line: FailingLine, values: Values) -> LineEdit | None:
    """`x + self.places` with the first of the places, as many as x has, where they differ in nothing else."""
    for table, given in _pairs(line):
        one, other = line.record.shape(table), line.record.shape(given)
        if (
            one is None
            or other is None
            or not isinstance(given, NAMED)
            or not isinstance(table, ast.Attribute)
        ):
            continue
        if len(other) < 2 or len(one) < 2 or one[-2] <= other[-2] or one[-1] != other[-1]:
            continue
        if all(size == 1 for size in one[:-2]):
            first = ":, " * (len(one) - 2)
            return _put(
                line,
                {table.end_col_offset or 0: f"[{first}:{ast.unparse(given)}.size({len(other) - 2})]"},
            )
    return None


def room_for_one_more(line: FailingLine, values: Values) -> LineEdit | None:
    """A table of places with one more, where it is added to rows that one was put in front of."""
    source = line.source
    for table, given in _pairs(line) if source is not None else ():
        one, other = line.record.shape(table), line.record.shape(given)
        if source is None or one is None or other is None or not isinstance(table, ast.Attribute):
            continue
        short = (
            [at for at, size in enumerate(one) if size not in (1, other[at])]
            if len(one) == len(other)
            else []
        )
        if len(short) != 1 or other[short[0]] != one[short[0]] + 1 or _is_read_elsewhere(line, table):
            continue
        here = [each for each in source.of(ast.Name, ast.Attribute) if each.lineno == line.here.line]
        joined = [
            call for each in here if ast.unparse(each) == ast.unparse(given) for call in origins(source, each)
        ]
        made = [
            call for each in here if ast.unparse(each) == ast.unparse(table) for call in origins(source, each)
        ]
        filled = [call for each in made for call in inside(each, ast.Call) if last_name(call.func) in FILLED]
        sizes = filled[0].args if len(filled) == 1 else []
        if len(joined) == 1 and _puts_one_in_front(joined[0], short[0]) and len(sizes) == len(one):
            simple = isinstance(sizes[short[0]], (*NAMED, ast.Constant, ast.BinOp))
            return alone(line.put(sizes[short[0]], "{it} + 1" if simple else "({it}) + 1"))
    return None


def _puts_one_in_front(node: ast.expr, dim: int) -> bool:
    if not isinstance(node, ast.Call) or last_name(node.func) not in ("cat", "concat") or not node.args:
        return False
    parts, along = node.args[0], argument(node, 1, "dim")
    return isinstance(parts, ast.List | ast.Tuple) and len(parts.elts) == 2 and constant(along) == dim


def _pairs(line: FailingLine) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The operands of the line's arithmetic, each first once."""
    for each in inside(_tree(line), ast.BinOp):
        if isinstance(each.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            yield each.left, each.right
            yield each.right, each.left


def _tree(line: FailingLine) -> ast.Module | None:
    return parsed_line(line.here.code) if line.here.code.isascii() else None


def _reduced(line: FailingLine, node: ast.expr) -> tuple[ast.Call, Sequence[int]] | None:
    """The call that reduces a dimension behind the first, and the shape of what it reduces."""
    call = node.value if isinstance(node, ast.Attribute | ast.Subscript) else node
    if (
        not isinstance(call, ast.Call)
        or not isinstance(call.func, ast.Attribute)
        or call.func.attr not in REDUCING
    ):
        return None
    of_torch = ast.unparse(call.func.value) == "torch"
    owner = argument(call, 0, "input") if of_torch else call.func.value
    whole, dim = line.record.shape(owner), constant(argument(call, 1 if of_torch else 0, "dim", "axis"))
    if last_name(call.func) == "norm":
        dim = constant(argument(call, 2 if of_torch else 1, "dim"))
    if whole is None or not isinstance(dim, int) or argument(call, -1, "keepdim") is not None:
        return None
    return (call, whole) if dim % len(whole) else None


def _shape(line: FailingLine, node: ast.expr) -> Sequence[object] | None:
    """The shape of what a name stands for, where the record does not say it as the file does."""
    known, source = line.record.shape(node), line.source
    there = source.of(type(node)) if source is not None and known is None else ()
    same = [
        each for each in there if each.lineno == line.here.line and ast.unparse(each) == ast.unparse(node)
    ]
    return shape(source, same[0]) if source is not None and same else known


def _put(line: FailingLine, texts: dict[int, str]) -> LineEdit | None:
    """The line with texts put in at its columns."""
    code = line.here.code
    for at in sorted(texts, reverse=True):
        code = code[:at] + texts[at] + code[at:]
    return alone(line.replaced(line.here.code, code))
