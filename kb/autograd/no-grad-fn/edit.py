"""What cut the loss off from the parameters: gradients switched off, or a `detach()` between."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import characters, constant, inside, last_name, returned, words
from torchwhy.source.roles import bare_call, block_of, is_loss, is_module, stored

OFF = ("torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad")
METHODS, WRAPPERS = (
    ("detach", "item"),
    ("torch.tensor", "torch.as_tensor", "torch.Tensor", "torch.FloatTensor", "builtins.float"),
)
HARD = words("argmax numpy tolist sample multinomial round sign long int bool gt lt eq")
DERIVATIVE = "torch.autograd.grad"
MAX_STEPS = 6

Path = tuple[ast.expr, ...]


def connected(line: FailingLine, values: Values) -> LineEdit | None:
    source, statement = line.source, line.statement()
    calls = [each for each in inside(statement, ast.Call) if source and source.name(each.func) == DERIVATIVE]
    if source is not None and len(calls) == 1 and calls[0].args:
        return _derived_again(line, source, calls[0].args[0])
    calls = [each for each in inside(statement, ast.Call) if last_name(each.func) == "backward"]
    root = calls[0].func.value if len(calls) == 1 and isinstance(calls[0].func, ast.Attribute) else None
    if source is None or statement is None or root is None:
        return None
    ways = (_with_gradients(line, source, statement), _uncut(line, source, root))
    for edit in (
        *ways,
        _stacked(line, source),
        _frozen_first(line, source),
        _derived_again(line, source, root),
    ):
        if edit is not None:
            return edit._replace(alone=True)
    return None


def _derived_again(line: FailingLine, source: Module, node: ast.expr) -> LineEdit | None:
    """A derivative that is derived once more: with its own graph."""
    calls = [each for each in _calls_behind(source, node, MAX_STEPS) if source.name(each.func) == DERIVATIVE]
    return alone(line.with_keyword([*dict.fromkeys(calls)], "create_graph=True"))


def _calls_behind(source: Module, node: ast.expr | None, steps: int) -> Iterator[ast.Call]:
    """The calls that a value is made of, also in functions of the file."""
    for each in inside(node, ast.Call, ast.Name) if steps > 0 else ():
        values: list[ast.expr | None] = []
        if isinstance(each, ast.Name):
            for bound in source.bindings(each):
                function = source.function(bound.node) if bound.part == "param" else None
                calls = source.calls_of(function) if function is not None else []
                values += [source.given(function, call, each.id) for call in calls if function is not None]
                values.append(bound.value)
        else:
            yield each
            called = source.called(each)
            values += returned(called[1]) if called is not None and called[0] is source else []
        for value in values:
            yield from _calls_behind(source, value, steps - 1)


def _with_gradients(line: FailingLine, source: Module, statement: ast.stmt) -> LineEdit | None:
    """A block or a function without gradients that the backward stands in, or the only switch of the file."""
    for above in source.above(statement):
        if (
            isinstance(above, ast.With)
            and len(above.items) == 1
            and _is_off(source, above.items[0].context_expr)
        ):
            place = source.place_of(above.items[0].context_expr)
            return LineEdit(place, place.with_text("torch.enable_grad()")) if place is not None else None
        if isinstance(above, ast.FunctionDef):
            off = [each for each in above.decorator_list if _is_off(source, each)]
            return line.shown(off[0].lineno, "") if len(off) == 1 else _switch(source)
    return _switch(source)


def _is_off(source: Module, node: ast.expr) -> bool:
    func = node.func if isinstance(node, ast.Call) else node
    return source.name(func) in OFF or _switches_off(source, node)


def _switches_off(source: Module, node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and source.name(node.func) == "torch.set_grad_enabled"
    return called and isinstance(node, ast.Call) and bool(node.args) and constant(node.args[0]) is False


def _switch(source: Module) -> LineEdit | None:
    """`torch.set_grad_enabled(False)` as a statement, where no other call of it is in the file."""
    calls = source.calls("torch.set_grad_enabled")
    if (
        len(calls) != 1
        or not isinstance(source.parent[calls[0]], ast.Expr)
        or not _switches_off(source, calls[0])
    ):
        return None
    place = source.place_of(calls[0].args[0])
    return LineEdit(place, place.with_text("True")) if place is not None else None


def _uncut(line: FailingLine, source: Module, root: ast.expr) -> LineEdit | None:
    """Without the calls that cut, where every way from the loss to a model goes through the same ones."""
    paths = {*_paths(source, root, (), MAX_STEPS)}
    cuts = next(iter(paths)) if len(paths) == 1 else ()
    if not cuts or any(_is_hard(each) for each in cuts):
        return None
    gone: dict[int, list[tuple[int, int]]] = {}
    for node in cuts:
        statement = source.statement(node)
        if node.lineno != node.end_lineno or not _is_only_shown(source, stored(statement)):
            return None
        text = source.lines[node.lineno - 1]
        inner = _operand(node)
        ends = [
            characters(text, at or 0)
            for at in (node.col_offset, inner.col_offset, inner.end_col_offset, node.end_col_offset)
        ]
        gone.setdefault(node.lineno, []).extend([(ends[0], ends[1]), (ends[2], ends[3])])
    edits = []
    for number, spans in gone.items():
        text = source.lines[number - 1]
        kept = "".join(
            each for at, each in enumerate(text) if not any(start <= at < end for start, end in spans)
        )
        edits.append(line.shown(number, kept.strip()))
    first, *others = edits
    return first.with_more(*others) if first is not None else None


def _stacked(line: FailingLine, source: Module) -> LineEdit | None:
    """Losses that are collected as numbers and made one tensor: collected as they are, and stacked."""
    found = []
    for call in source.calls("torch.tensor", "torch.as_tensor", "torch.FloatTensor", "torch.Tensor"):
        name = call.args[0] if len(call.args) == 1 and not call.keywords else None
        begun = source.bindings(name) if isinstance(name, ast.Name) else []
        if not isinstance(name, ast.Name) or len(begun) != 1 or ast.unparse(begun[0].value or name) != "[]":
            continue
        scope = source.scope(name)
        reads = [
            each for each in inside(scope, ast.Name) if each.id == name.id and isinstance(each.ctx, ast.Load)
        ]
        added = [each for each in inside(scope, ast.Call) if ast.unparse(each.func) == f"{name.id}.append"]
        items = [each.args[0] for each in added if each.args]
        if len(reads) == len(added) + 1 and items and all(map(_is_number, items)):
            cuts = [(line.method_of(each), "") for each in items if isinstance(each, ast.Call)]
            module = ast.unparse(call.func).rpartition(".")[0]
            found.append([(source.place_of(call.func), f"{module}.stack"), *cuts])
    return line.put_all(found[0]) if len(found) == 1 else None


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "item" and not node.args


def _frozen_first(line: FailingLine, source: Module) -> LineEdit | None:
    """What freezes a model moved in front of the new layers that the model was given before it."""
    found = []
    for freezing, model in _freezing(source):
        above = source.parent[freezing]
        alone = isinstance(above, ast.If) and above.body == [freezing] and not above.orelse
        whole = above if isinstance(above, ast.If) and alone else freezing
        block = block_of(source, whole)
        before = block[: block.index(whole)]
        heads = [
            each for each in before if isinstance(each, ast.Assign) and _replaces_layer(source, each, model)
        ]
        if heads and not any(model in stored(each) for each in before[before.index(heads[0]) :]):
            found.append((whole, heads[0]))
    return line.moved([found[0][0]], before=found[0][1]) if len(found) == 1 else None


def _freezing(source: Module) -> Iterator[tuple[ast.stmt, str]]:
    """Each loop that freezes a model, or call of a function with such a loop, and what the model is called."""
    for loop in source.of(ast.For):
        over = loop.iter.func if isinstance(loop.iter, ast.Call) else None
        if not isinstance(over, ast.Attribute) or over.attr != "parameters" or not _freezes(loop):
            continue
        model = ast.unparse(over.value)
        yield loop, model
        function = source.function(loop)
        for call in source.calls_of(function) if function is not None and loop in function.body else ():
            given, statement = source.given(function, call, model), source.statement(call)
            if given is not None and bare_call(statement) is call:
                yield statement, ast.unparse(given)


def _freezes(loop: ast.For) -> bool:
    [*body] = loop.body
    call = bare_call(body[0])
    off = call.args if call is not None and last_name(call.func) == "requires_grad_" else []
    if isinstance(body[0], ast.Assign) and last_name(body[0].targets[0]) == "requires_grad":
        off = [body[0].value]
    return len(body) == 1 and len(off) == 1 and constant(off[0]) is False


def _replaces_layer(source: Module, statement: ast.Assign, model: str) -> bool:
    target = ast.unparse(statement.targets[0])
    return target.startswith((f"{model}.", f"{model}[")) and is_module(source, statement.value)


def _operand(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Call):
        is_method = (
            isinstance(node.func, ast.Attribute) and node.func.attr in (*METHODS, *HARD) and not node.args
        )
        return node.func.value if is_method and isinstance(node.func, ast.Attribute) else node.args[0]
    assert isinstance(node, ast.Attribute)
    return node.value


def _is_hard(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in HARD


def _paths(source: Module, node: ast.expr, cuts: Path, steps: int) -> Iterator[Path]:
    """For each model's output that an expression is made of, the nodes on the way that cut its graph."""
    if steps <= 0:
        return
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        method = isinstance(node.func, ast.Attribute) and not source.name(node.func).startswith("torch.")
        if is_module(source, node.func) and not is_loss(source, node.func):
            yield cuts
            return
        if method and name in (*METHODS, *HARD):
            assert isinstance(node.func, ast.Attribute)
            yield from _paths(source, node.func.value, (*cuts, node), steps - 1)
            return
        if source.name(node.func) in WRAPPERS or (name in HARD and node.args):
            for each in node.args[:1]:
                yield from _paths(source, each, (*cuts, node), steps - 1)
            return
    if isinstance(node, ast.Attribute) and node.attr == "data":
        yield from _paths(source, node.value, (*cuts, node), steps - 1)
        return
    if isinstance(node, ast.Name):
        for bound in source.bindings(node):
            if bound.value is not None:
                yield from _paths(source, bound.value, cuts, steps - 1)
        return
    for child in ast.iter_child_nodes(node):
        inner = child.value if isinstance(child, ast.keyword) else child
        if isinstance(inner, ast.expr):
            yield from _paths(source, inner, cuts, steps - 1)


def _is_only_shown(source: Module, names: set[str]) -> bool:
    """Whether these names are asked for nothing that a tensor with a graph refuses."""
    for each in source.of(ast.Name):
        above = source.parent[each]
        if each.id not in names or not isinstance(each.ctx, ast.Load):
            continue
        if isinstance(above, ast.Attribute) and above.attr == "numpy":
            return False
        if isinstance(above, ast.Call) and each in above.args and last_name(above.func) == "append":
            return False
        if isinstance(above, ast.Call) and source.name(above.func).startswith("numpy."):
            return False
    return True
