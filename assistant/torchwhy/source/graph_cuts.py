"""Where the graph between a loss and the model that it should train is cut: followed back from backward()."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import NamedTuple

from .kinds import class_made, kind, makers
from .module import Module
from .nodes import constant, inside, last_name, receiver, words

MAX_NAMES = 8  # one behind the other
CUTTING = words("detach data item numpy tolist argmax argsort")
NEW_TENSORS = words("tensor as_tensor Tensor FloatTensor from_numpy Variable array")
PAIRS = words("max min topk sort median")  # (values, indices)
MODELS = re.compile(
    r"(^|_)(model|net|network|module|encoder|decoder|classifier|generator|discriminator)\d*$", re.I
)
LOSS = re.compile(r"loss|criteri|cross_entropy|cost", re.I)
TARGET = re.compile(r"^(y|t)\d?$|^y_(true|batch|train)|label|target|truth|^gt|^data$|^batch$", re.I)


class Cut(NamedTuple):
    """The statement that cuts, and what in it does so."""

    statement: ast.stmt
    how: str


DATA, GRAPH = "data", "graph"  # no gradient is wanted there; it goes on to what is trained, or may do so
Way = Cut | str


def cut_of(module: Module, loss: ast.expr) -> Cut | None:
    """What cuts every way from a loss to what made it; None where one way is open, or may be."""
    found = _way(module, loss, MAX_NAMES)
    return found if isinstance(found, Cut) else None


def _joined(ways: Iterable[Way]) -> Way:
    found = list(ways)
    if GRAPH in found:
        return GRAPH
    return next((each for each in found if isinstance(each, Cut)), DATA)


def _way(module: Module, node: ast.expr, left: int) -> Way:
    if isinstance(node, ast.Constant):
        return DATA
    if isinstance(node, ast.Name):
        return _way_of_name(module, node, left)
    if isinstance(node, ast.BinOp):
        return _joined(_way(module, each, left) for each in (node.left, node.right))
    if isinstance(node, ast.UnaryOp):
        return _way(module, node.operand, left)
    if isinstance(node, ast.List | ast.Tuple):
        return _joined(_way(module, each, left) for each in node.elts)
    if isinstance(node, ast.Compare):
        return _cutting(module, node, "a comparison", [node.left, *node.comparators], left)
    if isinstance(node, ast.Subscript):
        pairs = isinstance(node.value, ast.Call) and last_name(node.value.func) in PAIRS
        if pairs and constant(node.slice) == 1:
            return _cutting(module, node, f"{last_name(node.value.func)}(...)[1]", [node.value], left)  # type: ignore[attr-defined]
        return _way(module, node.value, left)
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return _cutting(module, node, ".data", [node.value], left)
    return _way_of_call(module, node, left) if isinstance(node, ast.Call) else GRAPH


def _way_of_name(module: Module, name: ast.Name, left: int) -> Way:
    bound = module.bindings(name)
    if left <= 0 or any(
        isinstance(each.target, ast.Name) and each.target.id == name.id for each in module.of(ast.AugAssign)
    ):
        return GRAPH
    if not bound or any(each.part == "param" for each in bound):
        return DATA if TARGET.search(name.id) else GRAPH
    if all(each.part == "each" for each in bound):
        return DATA
    ways = []
    for each in bound:
        pair = (
            each.part == "item" and isinstance(each.value, ast.Call) and last_name(each.value.func) in PAIRS
        )
        if pair and each.index == 1 and isinstance(each.value, ast.Call):
            ways.append(
                _cutting(module, each.value, f"{last_name(each.value.func)}()", [each.value], left - 1)
            )
        elif each.value is None or (each.part != "whole" and not pair):
            return DATA if TARGET.search(name.id) else GRAPH
        else:
            ways.append(_way(module, each.value, left - 1))
    if all(isinstance(each, Cut) for each in ways):
        return ways[0]
    return GRAPH if GRAPH in ways or _is_leaf(module, name.id) else DATA


def _way_of_call(module: Module, call: ast.Call, left: int) -> Way:
    dotted, last = module.name(call.func), last_name(call.func)
    given = [each for each in call.args if not isinstance(each, ast.Starred)]
    owner = receiver(call)
    if last in NEW_TENSORS and (dotted.startswith(("torch.", "numpy."))):
        found = _cutting(module, call, f"{ast.unparse(call.func)}()", given[:1], left)
        return GRAPH if found == DATA and _is_trained(call) else found
    if dotted in ("torch.argmax", "torch.argsort") or (last in CUTTING and owner is not None):
        inner = given[:1] if dotted.startswith("torch.") else [owner] if owner is not None else []
        return _cutting(module, call, f"{last}()", inner, left)
    if is_model_call(module, call) or _is_trained(call) or _may_train(module, call):
        return GRAPH
    made = module.name(call.func.func) if isinstance(call.func, ast.Call) else dotted
    if (LOSS.search(last or made) and module.called(call) is None) or kind(module, call.func) == "loss":
        return _joined(_way(module, each, left) for each in (*given, *(k.value for k in call.keywords)))
    if dotted.startswith("torch."):
        return _joined(_way(module, each, left) for each in given)
    if (owner is not None and not isinstance(owner, ast.Name | ast.Attribute)) or (
        isinstance(owner, ast.Name) and module.bindings(owner)
    ):
        return _joined(_way(module, each, left) for each in (owner, *given))
    return GRAPH


def _is_trained(call: ast.Call) -> bool:
    """Whether a call makes a tensor that requires grad."""
    asks = (each.value for each in call.keywords if each.arg == "requires_grad")
    return last_name(call.func) == "Parameter" or any(constant(each) is not False for each in asks)


def _may_train(module: Module, call: ast.Call) -> bool:
    """Whether what is called is of a class of the project that was given something, which may be a model."""
    found = [class_made(module, each) for each in makers(module, call.func)]
    values = (value for each in found if each for given in each[1].attributes.values() for value in given)
    return any(isinstance(value, ast.Name) for value in values)


def _cutting(module: Module, node: ast.expr, how: str, inner: Iterable[ast.expr], left: int) -> Way:
    """A cut, where what it cuts came from a model; else what is data stays data."""
    below = _joined(_way(module, each, left) for each in inner)
    if isinstance(below, Cut):
        return below
    if below == GRAPH and any(comes_from_model(module, each, left) for each in inner):
        statement = module.statement(node)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        return (
            GRAPH
            if isinstance(target, ast.Name) and _is_leaf(module, target.id, "grad")
            else Cut(statement, how)
        )
    return DATA


def _is_leaf(module: Module, name: str, *attributes: str) -> bool:
    """Whether the file asks for the gradient of what a name stands for, or makes it require one."""
    wanted = attributes or ("grad", "requires_grad", "requires_grad_")
    read = (each.value for each in module.of(ast.Attribute) if each.attr in wanted)
    asked = (each for call in module.calls("torch.autograd.grad") for each in inside(call, ast.Name))
    return any(isinstance(each, ast.Name) and each.id == name for each in (*read, *asked))


def comes_from_model(module: Module, node: ast.expr, left: int = MAX_NAMES) -> bool:
    """Whether what a model gave, or requires grad, stands in an expression or behind its names."""
    for each in inside(node, ast.Call, ast.Name):
        if isinstance(each, ast.Call) and (is_model_call(module, each) or _is_trained(each)):
            return True
        bound = module.bindings(each) if isinstance(each, ast.Name) and left > 0 else []
        if any(
            one.value is not None and one.part != "each" and comes_from_model(module, one.value, left - 1)
            for one in bound[:2]
        ):
            return True
    return False


def is_model_call(module: Module, call: ast.Call) -> bool:
    return kind(module, call.func) == "module" or bool(MODELS.search(last_name(call.func)))
