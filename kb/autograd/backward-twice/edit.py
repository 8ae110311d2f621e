"""Why a graph is walked a second time: a state that is carried over, a loss of before the loop, two losses of one pass."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside, is_self, last_name, own_nodes, receiver, returned
from torchwhy.source.roles import bare_call, block_of, is_loss, is_module, loaded, stored

MADE = ("zeros", "randn", "rand", "ones", "zeros_like", "new_zeros", "tensor")  # which give a tensor
CUT = ("detach", "item", "data", "numpy")
TENSOR, TUPLE = "{0} = {0}.detach()", "{0} = tuple(each.detach() for each in {0})"


def walked_once(line: FailingLine, values: Values) -> LineEdit | None:
    source, statement = line.file, line.failing
    root = _root(statement)
    if root is None:
        return None
    for way in (_again, _of_total, _judged_again, _of_fake, _both, _made_before, _carried):
        edit = way(line, source, statement, root)
        if edit is not None:
            return edit._replace(alone=True)
    return None


def _root(statement: ast.stmt | None) -> str | None:
    """`loss` of a statement that is `loss.backward()`."""
    call = bare_call(statement)
    if call is None or last_name(call.func) != "backward" or call.args or call.keywords:
        return None
    owner = receiver(call)
    return owner.id if isinstance(owner, ast.Name) else None


def _above(source: Module, statement: ast.stmt) -> list[ast.stmt]:
    """The statements of the same block that come before, the nearest first."""
    block = block_of(source, statement)
    return block[: block.index(statement)][::-1]


def _steps(statement: ast.AST) -> bool:
    """Whether gradients are used or cleared there."""
    return any(
        last_name(each.func) in ("step", "zero_grad", "clip_grad_norm_")
        for each in inside(statement, ast.Call)
    )


def _again(line: FailingLine, source: Module, statement: ast.stmt, root: str) -> LineEdit | None:
    """The same loss once more in the same block: its second backward goes."""
    for each in _above(source, statement):
        if root in stored(each):
            return None
        if _root(each) == root:
            return line.taken_away(statement)
    return None


def _of_total(line: FailingLine, source: Module, statement: ast.stmt, root: str) -> LineEdit | None:
    """A sum over all steps, of which each step walks all: the loss of this step in its place."""
    loops = source.loops(statement)
    if not loops or not any(_steps(each) for each in loops[0].body):
        return None
    adds = [(each, _added(each, root)) for each in own_nodes(loops[0]) if root in _bound(each)]
    if len(adds) != 1 or not isinstance(adds[0][1], ast.Name) or not isinstance(adds[0][0], ast.stmt):
        return None
    own = adds[0][1].id
    if any(_root(each) == own for each in inside(loops[0], ast.Expr)) or own not in stored(loops[0]):
        return None
    place = source.place_of(adds[0][1])
    edit = line.shown(statement.lineno, f"{own}.backward()")
    detached = LineEdit(place, place.with_text(f"{own}.detach()")) if place is not None else None
    alone = source.lines[statement.lineno - 1].strip() == f"{root}.backward()"
    return edit.with_more(detached) if edit is not None and alone else None


def _bound(node: ast.AST) -> set[str]:
    if isinstance(node, ast.AugAssign):
        return stored(node.target)
    return (
        {name for target in node.targets for name in stored(target)}
        if isinstance(node, ast.Assign)
        else set()
    )


def _added(node: ast.AST, name: str) -> ast.expr | None:
    """`x` of `name += x` and `name = name + x`."""
    if isinstance(node, ast.AugAssign):
        return node.value if isinstance(node.op, ast.Add) else None
    value = node.value if isinstance(node, ast.Assign) else None
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        left, right = value.left, value.right
        if isinstance(left, ast.Name) and left.id == name:
            return right
        return left if isinstance(right, ast.Name) and right.id == name else None
    return None


def _of_fake(line: FailingLine, source: Module, statement: ast.stmt, root: str) -> LineEdit | None:
    """What one model made goes to another that is trained first: cut there (`D(fake.detach())`)."""
    found: dict[ast.expr, None] = {}
    for first in source.of(ast.Expr):
        owner, between = _trained_by(source, first)
        behind = between if statement in block_of(source, first) else [source.tree]
        wanted = {name for part in behind for name in loaded(part)}
        calls = (
            _made_of(_above(source, first), _root(first) or "") if owner and first is not statement else ()
        )
        given = [
            each for call in calls if _calls(source, call, owner) for each in call.args if not _is_cut(each)
        ]
        for each in (part for whole in given for part in inside(whole, ast.Name, ast.Attribute)):
            known = is_self(each) or (isinstance(each, ast.Name) and each.id in wanted)
            if known and _made_by_other(source, each, owner):
                found[each] = None
    return line.put([*found][0], "{it}.detach()") if len(found) == 1 else None


def _trained_by(source: Module, first: ast.stmt) -> tuple[str, list[ast.stmt]]:
    """The model that alone is trained by a backward, and the statements of the block up to the next one; "" of
    another statement, and of several models.
    """
    block = block_of(source, first)
    behind = block[block.index(first) + 1 :] if _root(first) else []
    last = next((at for at, each in enumerate(behind) if _root(each)), len(behind))
    between = behind[:last]
    steps = [each for part in between for each in inside(part, ast.Call) if last_name(each.func) == "step"]
    owners = {name for each in steps for name in _trained(source, each)}
    return (owners.pop() if len(owners) == 1 else ""), between


def _judged_again(line: FailingLine, source: Module, statement: ast.stmt, root: str) -> LineEdit | None:
    """What the model that is trained first said of another's work, which it is asked for again: the first time
    of that work cut off, as its step has changed it meanwhile.
    """
    first = next((each for each in _above(source, statement) if _root(each)), None)
    owner, between = _trained_by(source, first) if first is not None else ("", [])
    if first is None or not owner:
        return None
    said = {
        each: made for made in _above(source, first) if isinstance(made, ast.Assign) for each in _bound(made)
    }
    read = [
        each
        for part in between
        if isinstance(part, ast.Assign)
        for each in inside(part.value, ast.Name)
        if each.id in said and isinstance(said[each.id].value, ast.Call)
        if _calls(source, said[each.id].value, owner)
    ]
    call = said[read[0].id].value if len(read) == 1 else None
    given = call.args[0] if isinstance(call, ast.Call) and len(call.args) == 1 else None
    if not isinstance(given, ast.Name) or not _made_by_other(source, given, owner):
        return None
    asked = line.put(read[0], ast.unparse(call) if call is not None else "")
    return asked.with_more(line.put(given, "{it}.detach()")) if asked is not None else None


def _made_of(statements: list[ast.stmt], name: str) -> Iterator[ast.Call]:
    """The calls that made what a name stands for, and what it was made of, above (the nearest first)."""
    wanted = {name}
    for each in statements:
        if isinstance(each, ast.Assign) and _bound(each) & wanted:
            wanted = (wanted - _bound(each)) | loaded(each.value)
            yield from inside(each.value, ast.Call)


def _trained(source: Module, step: ast.Call) -> set[str]:
    """The names of the models whose parameters the optimizer has that makes this step."""
    made = source.values(step.func.value) if isinstance(step.func, ast.Attribute) else []
    calls = [
        each for value in made for each in inside(value, ast.Call) if last_name(each.func) == "parameters"
    ]
    return {ast.unparse(each.func.value) for each in calls if isinstance(each.func, ast.Attribute)}


def _calls(source: Module, call: ast.Call, owner: str) -> bool:
    return owner in _models(source, call)


def _models(source: Module, call: ast.Call, steps: int = 3) -> set[str]:
    """The models that a call runs, by their names: itself one, or in a function of the file."""
    if is_module(source, call.func):
        return {ast.unparse(call.func)}
    called = source.called(call) if steps > 0 else None
    inner = inside(called[1], ast.Call) if called is not None and called[0] is source else ()
    return {name for each in inner for name in _models(source, each, steps - 1)}


def _made_by_other(source: Module, name: ast.expr, owner: str, steps: int = 4) -> bool:
    """Whether what gives the name its value calls another model than this one, also where a call gives it."""
    values: list[ast.expr | None] = [*source.attribute(name)] if isinstance(name, ast.Attribute) else []
    for bound in source.bindings(name) if steps and isinstance(name, ast.Name) else ():
        function = source.function(bound.node) if bound.part == "param" else None
        calls = source.calls_of(function) if function is not None else []
        values += [source.given(function, each, name.id) for each in calls if function is not None]
        values.append(bound.value)
    models = {model for made in values for each in inside(made, ast.Call) for model in _models(source, each)}
    handed = [each for each in values if isinstance(each, ast.Name)]
    other = any(_made_by_other(source, each, owner, steps - 1) for each in handed)
    return (bool(models) or other) and owner not in models


def _both(line: FailingLine, source: Module, statement: ast.stmt, root: str) -> LineEdit | None:
    """Losses of one pass whose gradients are used together: their sum."""
    block = block_of(source, statement)
    at = block.index(statement)
    others: list[ast.stmt] = []
    for each in block[:at][::-1]:
        if _steps(each):
            break
        if _root(each):
            others.insert(0, each)
        elif any(last_name(call.func) == "backward" for call in inside(each, ast.Call)):
            return None
    for each in block[at + 1 :]:
        if _steps(each) or not _root(each):
            break
        others.append(each)
    names = [name for each in others if (name := _root(each)) is not None]
    if not names or root in names or len({*names}) < len(names):
        return None
    first = block.index(others[0])
    if any({*names} & stored(each) for each in block[first:at]):
        return None
    if any(each.lineno > statement.lineno for each in others) and not _known(source, statement, names):
        return None
    behind = [each for each in others if each.lineno > statement.lineno]
    order = [*[each for each in names if each != root]]
    order.insert(len(others) - len(behind), root)
    edit = line.shown(statement.lineno, f"({' + '.join(order)}).backward()")
    if edit is None or source.lines[statement.lineno - 1].strip() != f"{root}.backward()":
        return None
    return edit.with_more(*map(line.taken_away, others))


def _known(source: Module, statement: ast.stmt, names: list[str]) -> bool:
    """Whether all of these have their value above the statement."""
    return {*names} <= {name for each in _above(source, statement) for name in stored(each)}


def _made_before(line: FailingLine, source: Module, statement: ast.stmt, root: str) -> LineEdit | None:
    """A loss that is computed once in front of the loop: what computes it goes into the loop."""
    loops = source.loops(statement)
    if not loops or root in stored(loops[0]):
        return None
    loop = loops[0]
    moved: list[ast.stmt] = []
    wanted = {root}
    for each in _above(source, loop):
        bound = _bound(each)
        if bound & wanted:
            if not isinstance(each, ast.Assign) or (root not in bound and not _computed(source, each)):
                wanted -= bound
                continue
            moved.insert(0, each)
            wanted = (wanted - bound) | loaded(each.value)
        elif moved and stored(each) & {name for part in moved for name in loaded(part)}:
            return None
    names = {name for each in moved for name in _bound(each)}
    between = block_of(source, loop)
    rest = between[between.index(moved[0]) : between.index(loop)] if moved else []
    if not any(_computed(source, each) for each in moved):
        return None
    if any(names & loaded(each) for each in rest if each not in moved):
        return None
    return line.moved(moved, before=loop.body[0])


def _computed(source: Module, statement: ast.stmt) -> bool:
    """Whether a model, or a tensor that wants gradients, is in what it computes."""
    if any(
        is_module(source, each.func) and not is_loss(source, each.func)
        for each in inside(statement, ast.Call)
    ):
        return True
    names = [each for each in inside(statement, ast.Name) if isinstance(each.ctx, ast.Load)]
    made = [value for each in names for value in source.values(each)]
    return any(
        each.arg == "requires_grad" and getattr(each.value, "value", None) is True
        for value in made
        for each in inside(value, ast.keyword)
    )


def _carried(line: FailingLine, source: Module, statement: ast.stmt, root: str) -> LineEdit | None:
    """A state that each step of the loop takes over from the one before: cut behind the backward."""
    loops = source.loops(statement)
    if not loops or root not in stored(loops[0]):
        return None
    loop = loops[0]
    if sum(last_name(each.func) == "backward" for each in inside(loop, ast.Call)) != 1:
        return None
    cuts = []
    for each in own_nodes(loop):
        if not isinstance(each, ast.Assign) or not isinstance(each.value, ast.Call) or _is_cut(each.value):
            continue
        if _only_passes(source, each.value):
            continue
        names = [name for name in sorted(_bound(each)) if name in loaded(each.value)]
        names = [name for name in names if _begun(source, loop, name)]
        whole = [_kind(source, loop, each, name) for name in names]
        if names:
            cuts.append([kind.format(name) for kind, name in zip(whole, names, strict=True) if kind])
            if not all(whole):
                return None
    if len(cuts) != 1:
        return None
    return line.put_behind(statement, "\n".join(cuts[0]))


def _only_passes(source: Module, value: ast.expr | None) -> bool:
    """Whether it is what a function of the file gives that runs no model, and does not cut: a copy."""
    called = source.called(value) if isinstance(value, ast.Call) else None
    if called is None or not isinstance(value, ast.Call) or _models(source, value):
        return False
    return not any(map(_is_cut, returned(called[1])))


def _is_cut(value: ast.expr) -> bool:
    return any(each.attr in CUT for each in inside(value, ast.Attribute))


def _begun(source: Module, loop: ast.stmt, name: str) -> bool:
    """Whether the name has a value when the loop begins, and no other statement of the loop gives it one."""
    scope = source.function(loop) or source.tree
    given = [each for each in own_nodes(scope) if name in _bound(each) and isinstance(each, ast.stmt)]
    within = [
        each
        for each in given
        if loop in source.above(each) and not _only_passes(source, getattr(each, "value", None))
    ]
    return len(within) == 1 and any(each.lineno < loop.lineno for each in given)


def _kind(source: Module, loop: ast.stmt, made: ast.Assign, name: str) -> str:
    """How the state is cut, by what it begins as, else by the layer that gives it; "" where neither tells."""
    nested = [each for target in made.targets for each in inside(target, ast.Tuple) if target is not each]
    if any(name in stored(each) for each in nested):
        return TENSOR
    scope = source.function(loop) or source.tree
    first = [
        each.value
        for each in own_nodes(scope)
        if isinstance(each, ast.Assign) and name in _bound(each)
        if each.lineno < loop.lineno
    ]
    value = first[-1] if first else None
    called = source.called(value) if isinstance(value, ast.Call) else None
    if called is not None:
        results = returned(called[1])
        value = results[0] if len(results) == 1 else None
    if isinstance(value, ast.Tuple):
        return TUPLE
    if isinstance(value, ast.Call) and last_name(value.func) in MADE:
        return TENSOR
    return _by_layer(source, made.value)


def _by_layer(source: Module, value: ast.expr) -> str:
    func = value.func if isinstance(value, ast.Call) else None
    made = source.values(func)
    names = {last_name(each.func) for each in made if isinstance(each, ast.Call)}
    classes = [source.classes[name] for name in names if name in source.classes]
    names |= {last_name(each.func) for cls in classes for each in inside(cls.node, ast.Call)}
    kinds = names & {"LSTM", "GRU", "RNN", "GRUCell", "RNNCell"}
    if kinds == {"LSTM"}:
        return TUPLE
    return TENSOR if kinds and "LSTM" not in kinds else ""
