"""What part a value or a statement plays in the user's program, read off its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .module import Class, Module
from .nodes import constant, inside, last_name, returned, words
from .origins import origins

# Methods that give the module back
SAME = words("to cuda cpu eval train float half double bfloat16 requires_grad_ apply")
CONTAINERS = ("torch.nn.Module", "torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")


def is_module(source: Module, node: ast.expr | None) -> bool:
    """Whether all that an expression may stand for is a module with what the file shows."""
    values = source.values(node)
    if values and all(_makes_module(source, each) for each in values):
        return True
    made = origins(source, node)
    return bool(made) and all(isinstance(each, ast.Call) and _is_made(source, each) for each in made)


def is_module_class(source: Module, found: Class) -> bool:
    return source.is_subclass(found, *CONTAINERS)


def _makes_module(source: Module, value: ast.expr) -> bool:
    if isinstance(value, ast.Attribute) and value.attr == "module":  # what DataParallel wraps
        return is_module(source, value.value)
    if not isinstance(value, ast.Call):
        return False
    if isinstance(value.func, ast.Attribute) and value.func.attr in SAME:
        return is_module(source, value.func.value)
    called = source.called(value)
    results = returned(called[1]) if called is not None and called[0] is source else []
    return _is_made(source, value) or (bool(results) and all(is_module(source, each) for each in results))


def _is_made(source: Module, value: ast.Call) -> bool:
    """Whether a call makes a module itself."""
    dotted = source.name(value.func)
    if dotted == "copy.deepcopy" and value.args:
        return is_module(source, value.args[0])
    found = source.class_named(dotted)
    if found is not None:
        return is_module_class(*found)
    if dotted.startswith(("torch.nn.", "torchvision.models.")):
        return not dotted.startswith(("torch.nn.functional.", "torch.nn.utils.", "torch.nn.init.")) and (
            dotted.startswith("torchvision.")
            or (last_name(value.func)[:1].isupper() and last_name(value.func) != "Parameter")
        )
    return False


def is_loss(source: Module, called: ast.expr) -> bool:
    """Whether all that the file shows of what is called was made by a class of a loss."""
    made = source.values(called)
    return all(isinstance(each, ast.Call) and last_name(each.func).endswith("Loss") for each in made)


def bare_call(statement: ast.stmt | None) -> ast.Call | None:
    """The call that a statement consists of."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value if isinstance(value, ast.Call) else None


def written_in_place(node: ast.AST | None) -> ast.expr | None:
    """What `w += y`, `w[0] = y` and `w.fill_(y)` write into."""
    place: ast.expr | None = None
    node = node.value if isinstance(node, ast.Expr) else node
    if isinstance(node, ast.AugAssign):
        place = node.target
    elif isinstance(node, ast.Assign):
        place = next((each for each in node.targets if isinstance(each, ast.Subscript)), None)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        in_place = name.endswith("_") and not name.startswith("_") and name != "requires_grad_"
        place = node.func.value if in_place else None
    while isinstance(place, ast.Subscript):
        place = place.value
    return place


def block_of(source: Module, statement: ast.stmt) -> list[ast.stmt]:
    """The block that a statement stands in."""
    for _, block in ast.iter_fields(source.parent[statement]):
        if isinstance(block, list) and statement in block:
            return block
    return [statement]


def stored(node: ast.AST) -> set[str]:
    """The names that are given a value in a node."""
    return {each.id for each in inside(node, ast.Name) if isinstance(each.ctx, ast.Store)}


def loaded(node: ast.AST | None) -> set[str]:
    """The names that are read in a node."""
    return {each.id for each in inside(node, ast.Name) if isinstance(each.ctx, ast.Load)}


def saved_weights(source: Module) -> list[tuple[ast.Call, str | None]]:
    """Of every `torch.save` of the file the `x.state_dict()` of a module in it, and the key of it (None:
    it is the whole file); nothing of a file without one, or with several.
    """
    found: list[tuple[ast.Call, str | None]] = []
    for call in source.calls("torch.save"):
        for value in source.values(call.args[0]) if call.args else ():
            its = [*_weights(source, value)]
            if len(its) == 1:
                found += its
    return found


def _weights(source: Module, value: ast.expr) -> Iterator[tuple[ast.Call, str | None]]:
    pairs = zip(value.keys, value.values, strict=True) if isinstance(value, ast.Dict) else [(None, value)]
    for key, each in pairs:
        if (
            isinstance(each, ast.Call)
            and isinstance(each.func, ast.Attribute)
            and each.func.attr == "state_dict"
        ):
            name = constant(key) if key is not None else None
            if is_module(source, each.func.value) and (key is None or isinstance(name, str)):
                yield each, name if isinstance(name, str) else None
