"""What stands in a tensor's place, as a tensor: where it was made, or where it is given."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.kinds import forward_of, kind, makers
from torchwhy.source.module import Module
from torchwhy.source.nodes import argument, constant, inside, last_name, returned

# Layers that return their output, and something else behind it.
PAIRS = ("LSTM", "GRU", "RNN", "MultiheadAttention")
TYPES = ("float", "long", "int", "half", "double")  # methods that settle a tensor's type
OF_LISTS = ("append", "extend", "insert", "pop", "remove", "sort", "index", "count")
NUMBERS = ("index", "item", "len", "int", "float", "ord")


def the_first_of_several(line: FailingLine, values: Values) -> LineEdit | None:
    """What an LSTM, an attention or a forward of the file's own returns, unpacked where it gets a name."""
    found = _given(line, values)
    if found is None:
        return None
    name, (made, value) = found[1], found[2]
    source = made.source
    if source is None or not isinstance(value, ast.Call):
        return None
    names = _returned(source, value)
    if not names:
        return None
    statement = source.statement(value)
    target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is value else None
    if target is None:
        targets = getattr(statement, "targets", ())
        unpacked = any(isinstance(each, ast.Tuple) for each in targets)  # so all of it is wanted
        edit = made.put(value, "{it}[0]") if value is name and not unpacked else None
    elif not isinstance(target, ast.Name) or len(statement.targets) > 1:  # type: ignore[attr-defined]
        return None
    else:
        at = names.index(target.id) if target.id in names else 0
        rest = [each if _is_missing(source, each) else "_" for each in names]
        rest[at] = target.id
        edit = made.put(target, ", ".join(rest))
    return alone(edit)


def the_places(line: FailingLine, values: Values) -> LineEdit | None:
    """The second of the pair that `max` along a dimension gives, where a side of the only comparison of the
    line gets its name: the classes that labels are compared with.
    """
    source = line.source
    compared = [each for each in source.of(ast.Compare) if each.lineno == line.here.line] if source else []
    sides = [compared[0].left, *compared[0].comparators] if len(compared) == 1 else []
    found = []
    for made in filter(None, map(line.made_by, sides)):
        call = made[1]
        along = isinstance(call, ast.Call) and last_name(call.func) in ("max", "min", "topk")
        statement = made[0].source.statement(call) if along and made[0].source is not None else None
        if isinstance(statement, ast.Assign) and statement.value is call:
            found.append((made[0], statement.targets[0]))
    if len(found) != 1 or not isinstance(found[0][1], ast.Name):
        return None
    return alone(found[0][0].put(found[0][1], "_, {it}"))


def one_tensor(line: FailingLine, values: Values) -> LineEdit | None:
    """`torch.stack` around a list of tensors, `torch.tensor` around one of numbers, where it is made; of one
    that is filled by `append`, around its name in the failing line.
    """
    found = _given(line, values)
    if found is None:
        return None
    at, node, (made, value) = found
    while isinstance(value, ast.Subscript):  # a part of a list: the list
        above = made.made_by(value.value)
        if above is None:
            return None
        made, value = above
    source = made.source
    if source is None:
        return None
    kinds = {_kind_of_item(source, each) for each in _items(source, value)}
    joined = {"tensor": "torch.stack({it})", "number": "torch.tensor({it})"}.get(
        kinds.pop() if len(kinds) == 1 else ""
    )
    if joined is None or source.imports.get("torch") != "torch":
        return None
    as_list = (isinstance(value, ast.List) and not value.elts) or _is_used_as_list(source, value)
    return alone(at.put(node, joined) if as_list else made.put(value, joined))


def as_a_tensor_of_one_type(line: FailingLine, values: Values) -> LineEdit | None:
    """`torch.from_numpy` around an array whose type a method of the line settles."""
    source, name = line.file, values.get("attribute", "")
    if source.imports.get("torch") != "torch":
        return None
    found = [each for each in source.of(ast.Attribute) if each.lineno == line.here.line and each.attr == name]
    array = found[0].value if len(found) == 1 else None
    if array is not None and not _settled(source, found[0]):
        array = _where_made(source, array)
    return alone(line.put(array, "torch.from_numpy({it})"))


def in_one_list(line: FailingLine, values: Values) -> LineEdit | None:
    """Brackets around the tensors of `torch.cat(a, b, dim=1)`."""
    source, call = line.file, line.failed
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    dims = [each for each in call.args[-1:] if kind(source, each) == "number"]
    tensors = call.args[: len(call.args) - len(dims)]
    if len(tensors) < 2:
        return None
    parts = [f"[{', '.join(map(ast.unparse, tensors))}]", *map(ast.unparse, dims)]
    parts += [f"{each.arg}={ast.unparse(each.value)}" for each in call.keywords]
    return alone(line.put(call, f"{ast.unparse(call.func)}({', '.join(parts)})"))


def a_number_as_tensor(line: FailingLine, values: Values) -> LineEdit | None:
    """`torch.tensor` around the number that a function of torch is given."""
    call = line.call
    node = argument(call, int(values["at"]) - 1, values["name"]) if call is not None else None
    if line.source is None or node is None or line.source.imports.get("torch") != "torch":
        return None
    return line.put(node, "torch.tensor({it})")


def as_tensor(line: FailingLine, values: Values) -> LineEdit | None:
    """`from_numpy` as what takes a list, or nothing where it is a tensor already."""
    call = line.failed
    if last_name(call.func) != "from_numpy" or len(call.args) != 1:
        return None
    if values["got"] in ("list", "tuple"):
        return line.put(call.func, f"{ast.unparse(call.func).removesuffix('from_numpy')}tensor")
    if values["got"] in ("Series", "DataFrame"):
        return line.put(call.args[0], "{it}.to_numpy()")
    return line.put(call, ast.unparse(call.args[0])) if values["got"] == "Tensor" else None


Given = tuple[FailingLine, ast.expr, tuple[FailingLine, ast.expr]]


def _given(line: FailingLine, values: Values) -> Given | None:
    """What stands in the tensor's place in the failing line, and what it was made by: the argument that the
    message names, or what the attribute is asked of.
    """
    source, call = line.source, line.call
    if source is None:
        return None
    node: ast.expr | None = None
    if values.get("attribute"):
        asked = [
            each
            for each in source.of(ast.Attribute)
            if each.lineno == line.here.line and each.attr == values["attribute"]
        ]
        node = asked[0].value if len(asked) == 1 else _only_list(line) if not asked else None
    elif call is not None:
        place = 1 if values.get("name") == "target" else 0
        node = argument(call, place, values.get("name"))
        listed = [each for each in call.args[:1] if isinstance(each, ast.ListComp)]
        node = listed[0].elt if values.get("argument") and listed else node
    made = line.made_by(node)
    if node is None or made is None:
        made = _of_part(line, node)
    return (line, node, made) if node is not None and made is not None else None


def _only_list(line: FailingLine) -> ast.expr | None:
    """The only argument of the failing call that was made as a list."""
    call = line.call
    given = [*call.args, *(each.value for each in call.keywords)] if call is not None else []
    found = []
    for node in given:
        made = line.made_by(node)
        while made is not None and isinstance(made[1], ast.Subscript):
            made = made[0].made_by(made[1].value)
        if made is not None and isinstance(made[1], ast.List | ast.ListComp):
            found.append(node)
    return found[0] if len(found) == 1 else None


def _of_part(line: FailingLine, node: ast.expr | None) -> tuple[FailingLine, ast.expr] | None:
    return line.made_by(node.value) if isinstance(node, ast.Subscript) else None


def _returned(source: Module, call: ast.Call) -> list[str]:
    """The names of what a call returns, in order; [] where it is no layer that returns a pair, and no class
    whose only return is a tuple.
    """
    made = makers(source, call.func)
    if len(made) != 1:
        return []
    dotted = source.name(made[0].func)
    if dotted.startswith("torch.nn.") and dotted.rpartition(".")[2] in PAIRS:
        return ["", ""]
    forward = forward_of(source, made[0])
    given = returned(forward[1]) if forward is not None else []
    if forward is not None and len(given) == 1 and isinstance(given[0], ast.Call):
        return _returned(forward[0], given[0])  # handed on as it comes
    values = given[0].elts if len(given) == 1 and isinstance(given[0], ast.Tuple) else []
    return [last_name(each) for each in values]


def _is_used_as_list(source: Module, value: ast.expr) -> bool:
    """Whether the name that a list is given is asked for what only a list has."""
    statement = source.statement(value)
    names = {last_name(each) for each in getattr(statement, "targets", ())} - {""}
    asked = {last_name(each.value) for each in source.of(ast.Attribute) if each.attr in OF_LISTS}
    return not names.isdisjoint(asked)


def _is_missing(source: Module, name: str) -> bool:
    """Whether a name is read in the file and never given a value."""
    uses = [each for each in source.of(ast.Name) if each.id == name and each.id not in source.imports]
    functions = [each for each in uses if not source.bindings(each)]
    return bool(name) and bool(functions)


def _items(source: Module, node: ast.expr) -> Iterator[ast.expr]:
    """The items of a list: as written, or as appended to the name that it is given. None of a list whose
    items may be of unequal sizes.
    """
    if isinstance(node, ast.ListComp):
        if not _is_uneven(source, node):
            yield node.elt
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add):
        for side in (node.left, node.right):
            yield from _items(source, side)
    elif isinstance(node, ast.List) and node.elts:
        yield from node.elts
    elif isinstance(node, ast.List):
        statement = source.statement(node)
        names = {last_name(each) for each in inside(statement, ast.Name) if isinstance(each.ctx, ast.Store)}
        for call in source.methods("append"):
            if isinstance(call.func, ast.Attribute) and last_name(call.func.value) in names and call.args:
                yield call.args[0]


def _is_uneven(source: Module, node: ast.ListComp) -> bool:
    """Whether a size depends on what the list is made of: `torch.zeros(n) for n in lengths`, `x[:n]`."""
    over = {each.id for loop in node.generators for each in inside(loop.target, ast.Name)}
    sizes: list[ast.expr] = [
        each.upper for each in inside(node.elt, ast.Slice) if each.upper and not each.lower
    ]
    for call in inside(node.elt, ast.Call):
        if source.name(call.func).startswith("torch."):
            sizes += call.args
    return any(each.id in over for size in sizes for each in inside(size, ast.Name))


def _kind_of_item(source: Module, node: ast.expr) -> str:
    if isinstance(node, ast.List | ast.ListComp | ast.BinOp) and (items := [*_items(source, node)]):
        return "number" if {_kind_of_item(source, each) for each in items} == {"number"} else ""
    if isinstance(node, ast.Call) and last_name(node.func) in NUMBERS:
        return "number"
    return kind(source, node)


def _where_made(source: Module, node: ast.expr) -> ast.expr | None:
    """The only value of the array's name, where it settles the type, and NumPy is given the name nowhere."""
    while isinstance(node, ast.Subscript):
        node = node.value
    bound = source.bindings(node) if isinstance(node, ast.Name) else []
    value = bound[0].value if len(bound) == 1 and bound[0].part == "whole" else None
    names = {last_name(each) for each in inside(value, ast.Attribute)} | {
        constant(each) for each in inside(value, ast.Constant)
    }
    typed = not names.isdisjoint(("float32", "int64", "long", "integers", "randint"))
    uses = [each for each in source.of(ast.Name) if each.id == last_name(node)]
    given = any(
        isinstance(above, ast.Call) and source.name(above.func).startswith("numpy.")
        for use in uses
        for above in source.above(use)
        if isinstance(use.ctx, ast.Load)
    )
    return value if typed and not given else None


def _settled(source: Module, node: ast.Attribute) -> bool:
    """Whether the method, or one that is called on its result, settles the type."""
    above: ast.AST | None = node
    while isinstance(above, ast.Attribute | ast.Call):
        if isinstance(above, ast.Attribute) and above.attr in TYPES:
            return True
        above = source.parent.get(above)
    return False
