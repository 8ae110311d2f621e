"""Where a program writes in place into the result of an operation: the line that made the result."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.module import Module
from torchwhy.source.nodes import last_name, own_nodes, position


def copied_first(line: FailingLine, values: Values) -> LineEdit | None:
    """A copy of the only result of this operation (`Sigmoid`: torch.sigmoid(x), x.sigmoid(), self.act(x) with
    an nn.Sigmoid()) that is assigned to a name which is written in place after it.
    """
    source, wanted = line.source, _plain(values["op"])
    if source is None:
        return None
    names = {wanted, *(_plain(name) for name in _layers(source, wanted))} - {""}
    found: list[ast.Call] = []
    for function in (source.tree, *source.of(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        results: dict[str, ast.Call] = {}
        # of one line, what is written comes before what is assigned
        for node in sorted(own_nodes(function), key=lambda each: (position(each)[0], bool(_assigned(each)))):
            written, name = _written(node), _assigned(node)
            if written in results:
                found.append(results.pop(written))
            results.pop(name, None)
            value = node.value if name and isinstance(node, ast.Assign) else None
            if isinstance(value, ast.Call) and _plain(last_name(value.func)) in names:
                results[name] = value
    made = source.place_of(found[0]) if len(found) == 1 else None
    return LineEdit(made, made.with_text(made.written + ".clone()")) if made is not None else None


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _layers(source: Module, wanted: str) -> Iterator[str]:
    """The names that are given an object of that operation's layer: `act` of self.act = nn.Sigmoid()."""
    for each in source.of(ast.Assign):
        layer = last_name(each.value.func) if isinstance(each.value, ast.Call) else ""
        if layer[:1].isupper() and _plain(layer) == wanted:
            yield last_name(each.targets[0])


def _assigned(node: ast.AST) -> str:
    """`h` of `h = ...`; "" of anything else."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else ""


def _written(node: ast.AST) -> str:
    """`h` of `h += y`, `h[0] = y`, `h[0] += y` and `h.mul_(y)`; "" of anything else."""
    place: ast.expr | None = None
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
    return place.id if isinstance(place, ast.Name) else ""
