"""Where a program writes in place into a result: that line, or the one that made the result."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.kinds import kind, makers
from torchwhy.source.module import Module
from torchwhy.source.nodes import (
    LinePart,
    argument,
    constant,
    inside,
    last_name,
    own_nodes,
    position,
    receiver,
)
from torchwhy.source.own_file import without_gradients
from torchwhy.source.roles import bare_call, block_of, written_in_place

Part = tuple[LinePart | None, str]
NUMBERS = ("item", "len", "detach")  # of what is added up is no tensor that has a history
# In place, and no part of what is computed: of weights, gradients and new tensors.
APART = ("torch.nn.init.", "torch.nn.utils.")
OF_WEIGHTS = ("grad", "data", "weight", "bias")
TURN = ("zero_grad", "backward", "step")
NEW = ("zeros", "ones", "full", "empty", "zeros_like", "ones_like", "full_like", "empty_like", "clone")


def a_new_tensor(line: FailingLine, values: Values) -> LineEdit | None:
    """The only place of the file that writes into a tensor with a history, as one that makes a new tensor.
    Where the message names no operation it may be a weight, which the step of another loss has changed.
    """
    source = line.source
    if values.get("op", "AsStrided") in ("AsStrided", "T") and len(line.calls("backward")) != 1:
        return None
    found = [*_in_place(line, source)] if source is not None else []
    return alone(line.put_all(found) if len(found) == 1 else None)


def _in_place(line: FailingLine, source: Module) -> Iterator[Part]:
    """Each such place, and what stands for it; no place where nothing short does."""
    for added in source.of(ast.AugAssign):
        if _has_history(source, added, added.target, added.value):
            yield _spelled_out(source, added)
    for call in source.of(ast.Call):
        switched = argument(call, -1, "inplace")
        if switched is not None and constant(switched) is True:
            yield source.place_of(switched), "False"
        elif _is_in_place(source, call):
            yield _out_of_place(line, source, call)
    for each in source.of(ast.Assign):
        target = each.targets[0]
        if isinstance(target, ast.Subscript) and kind(source, target.value) == "tensor":
            if _has_history(source, each, target.value, each.value):
                yield None, ""


def _has_history(source: Module, node: ast.AST, target: ast.expr, value: ast.expr) -> bool:
    known = kind(source, target)
    plain = known in ("number", "list") or (known != "tensor" and kind(source, value) in ("number", "list"))
    called = {last_name(each.func) for each in inside(value, ast.Call)}
    made = {last_name(each.func) for each in source.values(target) if isinstance(each, ast.Call)}
    return (
        not plain
        and called.isdisjoint(NUMBERS)
        and made.isdisjoint(NEW)
        and without_gradients(source, node) is None
    )


def _spelled_out(source: Module, added: ast.AugAssign) -> Part:
    """`x = x + y` for `x += y`."""
    first, last = source.place_of(added.target), source.place_of(added.value)
    if first is None or last is None or first.line != last.line or not isinstance(added.target, ast.Name):
        return None, ""
    whole = ast.BinOp(ast.Name(added.target.id), added.op, added.value)
    return first._replace(end=last.end), f"{added.target.id} = {ast.unparse(whole)}"


def _is_in_place(source: Module, call: ast.Call) -> bool:
    name = last_name(call.func)
    if not name.endswith("_") or name.startswith("_") or name == "requires_grad_":
        return False
    owner = receiver(call)
    if source.name(call.func).startswith(APART) or last_name(owner) in OF_WEIGHTS:
        return False
    new = isinstance(owner, ast.Call) and last_name(owner.func) in NEW
    return not new and without_gradients(source, call) is None


def _out_of_place(line: FailingLine, source: Module, call: ast.Call) -> Part:
    """`x.relu()` for `x.relu_()`, with the name that holds it where it is a statement."""
    name, func = last_name(call.func), call.func
    if source.name(func).startswith("torch."):
        return source.place_of(func), ast.unparse(func).removesuffix("_")
    part = line.method_of(call)
    new = part.written.replace(name, name[:-1], 1) if part is not None else ""
    if part is None or not isinstance(source.parent[call], ast.Expr):
        return part, new
    owner = func.value if isinstance(func, ast.Attribute) else None
    if not isinstance(owner, ast.Name):
        return None, ""
    return source.place_of(call), f"{owner.id} = {owner.id}{new}"


def step_behind_both(line: FailingLine, values: Values) -> LineEdit | None:
    """The step of one loss behind the backward of another, where both optimizers have the same weights."""
    source, statement = line.file, line.failing
    if _called(statement) != "backward":
        return None
    block = block_of(source, statement)
    at = block.index(statement)
    steps = []
    for each in block[:at][::-1]:
        if _called(each) != "step":
            break
        steps.insert(0, each)
    behind = [each for each in block[at + 1 :] if _called(each) == "step"]
    if len(steps) != 1 or len(behind) != 1 or at < 2 or _called(block[at - 2]) != "backward":
        return None
    return alone(line.moved(steps, behind=statement)) if _share(source, steps[0], behind[0]) else None


def turn_behind(line: FailingLine, values: Values) -> LineEdit | None:
    """The whole turn of one loss (zero_grad, backward, step) behind that of another which reads its weights."""
    source, statement = line.file, line.failing
    if _called(statement) != "backward":
        return None
    block = block_of(source, statement)
    at = block.index(statement)
    first = at
    while first and _called(block[first - 1]) in TURN:
        first -= 1
    names = [_called(each) for each in block[first:at]]
    behind = next((each for each in block[at + 1 :] if _called(each) not in ("clip_grad_norm_",)), None)
    if names not in (["zero_grad", "backward", "step", "zero_grad"], ["zero_grad", "backward", "step"]):
        return None
    turn = block[first : first + 3]
    step, cleared = bare_call(turn[2]), bare_call(turn[0])
    same = step is not None and cleared is not None and _owner(step) == _owner(cleared)
    if not same or behind is None or _called(behind) != "step" or _share(source, turn[2], behind):
        return None
    return alone(line.moved(turn, behind=behind))


def _owner(call: ast.Call) -> str:
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""


def _called(statement: ast.stmt) -> str:
    call = bare_call(statement)
    return last_name(call.func) if call is not None else ""


def _share(source: Module, one: ast.stmt, other: ast.stmt) -> bool:
    """Whether the optimizers of two steps were made with the parameters of the same part."""
    parts = []
    for each in (bare_call(one), bare_call(other)):
        owner = receiver(each)
        given = [argument(made, 0, "params") for made in makers(source, owner)]
        named = {ast.unparse(node) for every in given for node in inside(every, ast.Name, ast.Attribute)}
        parts.append({name for name in named if not name.startswith("self") or name.count(".") > 1})
    return bool({name for name in parts[0] & parts[1] if name not in ("list", "chain", "itertools")})
