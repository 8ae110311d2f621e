"""A gradient that is read where it is not there yet, or any more."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, own_lines
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside, last_name, own_nodes
from torchwhy.source.roles import bare_call, block_of, loaded, stored

CLEARS = ("zero_", "detach_")


def where_it_is(line: FailingLine, values: Values) -> LineEdit | None:
    source, statement = line.file, line.failing
    owners = {
        each.value.id
        for each in inside(statement, ast.Attribute)
        if each.attr == "grad" and isinstance(each.value, ast.Name)
    }
    edit = _in_place(line, source, statement, owners)
    if edit is None and len(owners) == 1 and not _replaces(source, owners):
        [owner] = owners
        edit = _guarded(line, source, statement, owner) if _is_clearing(statement) else None
        edit = edit or _behind_backward(line, source, statement)
        edit = edit or _filtered(line, source, statement, owner)
    return alone(edit)


def _step(statement: ast.AST) -> str:
    """`w` of `w = w - rate * w.grad`, which puts a computed tensor in the place of the leaf."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return ""
    target, value = statement.targets[0], statement.value
    if (
        not isinstance(target, ast.Name)
        or not isinstance(value, ast.BinOp)
        or not isinstance(value.op, ast.Sub)
    ):
        return ""
    same = isinstance(value.left, ast.Name) and value.left.id == target.id
    grads = [each for each in inside(value.right, ast.Attribute) if each.attr == "grad"]
    return target.id if same and any(last_name(each.value) == target.id for each in grads) else ""


def _replaces(source: Module, owners: set[str]) -> bool:
    return any(_step(each) in owners for each in source.of(ast.Assign))


def _in_place(line: FailingLine, source: Module, statement: ast.stmt, owners: set[str]) -> LineEdit | None:
    """`w = w - rate * w.grad` as `w -= rate * w.grad`, without gradients; those beside it likewise."""
    scope = source.function(statement) or source.tree
    found = [each for each in own_nodes(scope) if isinstance(each, ast.Assign) and _step(each) in owners]
    if not found:
        return None
    block = block_of(source, found[0])
    steps = [each for each in block if _step(each)]
    first = block.index(steps[0])
    if block[first : first + len(steps)] != steps or found[0] not in steps:
        return None
    within = any(isinstance(each, ast.With) and _is_off(source, each) for each in source.above(steps[0]))
    if not within and source.imports.get("torch") != "torch":
        return None
    edits = []
    for each in steps:
        text = source.lines[each.lineno - 1]
        assert isinstance(each, ast.Assign) and isinstance(each.value, ast.BinOp)
        right = ast.get_source_segment(source.text, each.value.right)
        if each.lineno != each.end_lineno or right is None or own_lines(source, each) is None:
            return None
        new = f"{_step(each)} -= {right}"
        indent = text[: each.col_offset]
        if not within:
            new = f"with torch.no_grad():\n{indent}    {new}" if each is steps[0] else f"    {new}"
        edits.append(line.shown(each.lineno, new))
    head, *others = edits
    return head.with_more(*others) if head is not None else None


def _is_off(source: Module, block: ast.With) -> bool:
    calls = [each.context_expr for each in block.items]
    return any(isinstance(each, ast.Call) and source.name(each.func) == "torch.no_grad" for each in calls)


def _is_clearing(statement: ast.stmt) -> bool:
    call = bare_call(statement)
    return call is not None and last_name(call.func) in CLEARS


def _guarded(line: FailingLine, source: Module, statement: ast.stmt, owner: str) -> LineEdit | None:
    """The clearing only of what has a gradient: before the first backward there is none. The others beside it too."""
    block = block_of(source, statement)
    at = block.index(statement)
    edits = []
    for each in block[at:]:
        owners = {
            part.value.id
            for part in inside(each, ast.Attribute)
            if part.attr == "grad" and isinstance(part.value, ast.Name)
        }
        if not _is_clearing(each) or len(owners) != 1:
            break
        edits.append(line.wrapped([each], f"if {next(iter(owners))}.grad is not None:"))
    first, *others = edits
    return first.with_more(*others) if first is not None else None


def _backwards(statement: ast.AST) -> bool:
    return any(last_name(each.func) == "backward" for each in inside(statement, ast.Call))


def _clears_all(statement: ast.AST) -> bool:
    return any(last_name(each.func) == "zero_grad" for each in inside(statement, ast.Call))


def _behind_backward(line: FailingLine, source: Module, statement: ast.stmt) -> LineEdit | None:
    """The reading moved behind the only backward of its block, in front of which it stands."""
    moved: ast.stmt = statement
    block = block_of(source, moved)
    while not any(map(_backwards, block)):
        above = source.parent[moved]
        if not isinstance(above, ast.For) or len(block) > 2:
            return None
        moved, block = above, block_of(source, above)
    if _freezes(source) and any(map(_is_parameters, inside(moved, ast.Call))):
        return None  # of those that are frozen there is none behind it either
    places = [at for at, each in enumerate(block) if _backwards(each)]
    at = block.index(moved)
    if len(places) != 1 or not isinstance(block[places[0]], ast.Expr):
        return None
    between = block[at + 1 : places[0]] if at < places[0] else block[places[0] + 1 : at]
    if at > places[0] and not any(map(_clears_all, between)):
        return None
    names = stored(moved)
    if any(names & (loaded(each) | stored(each)) for each in between):
        return None
    return line.moved([moved], behind=block[places[0]])


def _freezes(source: Module) -> bool:
    """Whether the file has parameters that want no gradient."""
    set_ = any(last_name(each.targets[0]) == "requires_grad" for each in source.of(ast.Assign))
    return set_ or bool(source.called_as("requires_grad_"))


def _filtered(line: FailingLine, source: Module, statement: ast.stmt, owner: str) -> LineEdit | None:
    """Of a loop over parameters behind a backward, only those that got a gradient."""
    if not _comes_behind_backward(source, statement):
        return None
    for each in inside(statement, ast.comprehension):
        if owner in stored(each.target) and not each.ifs and _is_parameters(each.iter):
            place = source.place_of(each.iter)
            new = f"{place.written} if {owner}.grad is not None" if place is not None else ""
            return LineEdit(place, place.with_text(new)) if place is not None else None
    loop = source.parent[statement]
    if isinstance(loop, ast.For) and owner in stored(loop.target) and _is_parameters(loop.iter):
        if any(stored(statement) & loaded(each) for each in loop.body if each is not statement):
            return line.put_before(statement, f"if {owner}.grad is None:\n    continue")
        return line.wrapped([statement], f"if {owner}.grad is not None:")
    return None


def _comes_behind_backward(source: Module, node: ast.AST, steps: int = 3) -> bool:
    """Whether a backward stands above in its function, or above every call of that function."""
    scope = source.function(node) or source.tree
    line = getattr(node, "lineno", 0)
    if any(
        _backwards(each) and each.lineno < line for each in own_nodes(scope) if isinstance(each, ast.Expr)
    ):
        return True
    calls = source.calls_of(scope) if isinstance(scope, ast.FunctionDef) and steps > 0 else []
    return bool(calls) and all(_comes_behind_backward(source, each, steps - 1) for each in calls)


def _is_parameters(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in ("parameters", "named_parameters")
