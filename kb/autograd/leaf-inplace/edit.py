"""A trained tensor that is written into by hand: its update, or what it begins with, without gradients."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import constant, inside, is_self, last_name, receiver
from torchwhy.source.roles import bare_call, block_of, is_module, written_in_place

HEADER = "with torch.no_grad():"


def without_gradients(line: FailingLine, values: Values) -> LineEdit | None:
    """The failing statement under `torch.no_grad()`, with those beside it that do the same."""
    source, statement = line.file, line.failing
    if source.imports.get("torch") != "torch":
        return None
    if not _is_by_hand(source, statement):
        return None
    block = block_of(source, statement)
    at = block.index(statement)
    together = [statement]
    for each in block[at + 1 :]:
        if not (_is_by_hand(source, each) or _clears(each)):
            break
        together.append(each)
    while _clears(together[-1]):
        together.pop()
    return alone(line.wrapped(together, HEADER))


def _is_by_hand(source: Module, statement: ast.stmt) -> bool:
    """Whether it updates a tensor by a gradient, or sets what a parameter begins with."""
    place = written_in_place(statement)
    if place is None:
        return False
    around = [*source.loops(statement), source.function(statement), statement]
    its = next(each for each in around if each is not None)
    grads = [ast.unparse(each.value) for each in inside(its, ast.Attribute) if each.attr == "grad"]
    if ast.unparse(place) in grads:
        return True
    if _runs_in_forward(source, statement):
        return False
    if isinstance(place, ast.Attribute):
        return _is_parameter(source, place)
    return isinstance(place, ast.Name) and _is_trained(source, place)


def _clears(statement: ast.stmt) -> bool:
    """`w.grad.zero_()` and `w.grad = None`."""
    if isinstance(statement, ast.Assign):
        return last_name(statement.targets[0]) == "grad" and isinstance(statement.value, ast.Constant)
    call = bare_call(statement)
    owner = receiver(call)
    return last_name(owner) == "grad"


def _runs_in_forward(source: Module, statement: ast.stmt) -> bool:
    """Whether it may be a part of what is differentiated: in a method or function that gives something back."""
    function = source.function(statement)
    if function is None or function.name in ("__init__", "reset_parameters"):
        return False
    return any(isinstance(each, ast.Return) and each.value is not None for each in ast.walk(function))


def _is_parameter(source: Module, node: ast.Attribute) -> bool:
    """Whether it is a parameter of a module: `model.fc.weight`, or `self.w` that is an nn.Parameter."""
    if is_self(node):
        made = source.attribute(node)
        return bool(made) and all(
            isinstance(each, ast.Call) and source.name(each.func) == "torch.nn.Parameter" for each in made
        )
    owner: ast.expr = node.value
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    if node.attr not in ("weight", "bias"):
        return False
    while isinstance(owner, ast.Attribute | ast.Subscript) and not is_self(owner):
        owner = owner.value
    return is_module(source, owner)


def _is_trained(source: Module, name: ast.Name) -> bool:
    """Whether it is a module's, or was made as a leaf, and is updated: an optimizer has it, or its gradient is
    used up.
    """
    given = [each.value.func for each in source.bindings(name) if isinstance(each.value, ast.Call)]
    if any(last_name(each) in ("parameters", "named_parameters") for each in given):
        return True
    if not all(_is_leaf(source, each) for each in source.values(name)):
        return False
    for each in source.of(ast.Name):
        above = source.parent[each]
        if each.id != name.id:
            continue
        if isinstance(above, ast.Attribute) and above.attr == "grad":
            statement = source.statement(above)
            if _clears(statement) or (
                isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Sub)
            ):
                return True
        calls = [call for call in source.above(each) if isinstance(call, ast.Call)]
        if any(source.name(call.func).startswith("torch.optim.") for call in calls):
            return True
    return False


def _is_leaf(source: Module, value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return False
    wants = any(each.arg == "requires_grad" and constant(each.value) is True for each in value.keywords)
    return (
        wants or source.name(value.func) == "torch.nn.Parameter" or last_name(value.func) == "requires_grad_"
    )
