"""What an optimizer is given, as one collection of tensors."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.kinds import kind
from torchwhy.source.module import Module
from torchwhy.source.nodes import last_name

INSTEAD = ("state_dict", "named_parameters", "parameters")  # methods of a module that are given in its place
NO_MODELS = ("NoneType", "Parameter", "Tensor")
GENERATORS = ("parameters", "filter", "chain", "map")


def lists_added(line: FailingLine, values: Values) -> LineEdit | None:
    """`list()` around each generator of a sum."""
    source = line.file
    sums = [each for each in source.of(ast.BinOp) if each.lineno == line.here.line and _is_sum(each)]
    outer = [each for each in sums if not _is_sum(source.parent[each])]
    if len(outer) != 1:
        return None
    parts = [
        f"list({ast.unparse(each)})" if _is_generator(source, each) else ast.unparse(each)
        for each in _added(outer[0])
    ]
    edit = line.put(outer[0], " + ".join(parts))
    changed = sum(part.startswith("list(") for part in parts)
    return edit._replace(alone=True) if edit is not None and changed else None


def as_tensors(line: FailingLine, values: Values) -> LineEdit | None:
    """The parameters of what the optimizer was given: of a model, of a method that is not called, of the
    entries of a list; where that is a name, on the only line that gives it a value.
    """
    source, call = line.file, line.call
    node = given_at(call, "0|params") if call is not None else None
    if node is None:
        return None
    made = source.assigned(node) if isinstance(node, ast.Name) and kind(source, node) != "module" else [node]
    if len(made) != 1:
        return None
    if isinstance(made[0], ast.List) and not made[0].elts and isinstance(node, ast.Name):
        return _extended(line, source, node.id)
    is_model = values.get("model", "")[:1].isupper() and not values["model"].endswith(NO_MODELS)
    if is_model and isinstance(node, ast.Name | ast.Attribute):
        made, new = [node], f"{ast.unparse(node)}.parameters()"
    else:
        new = _gathered(source, made[0])
    edit = line.put(made[0], new)
    return edit._replace(alone=True) if edit is not None and edit.after != edit.place.text.strip() else None


def _gathered(source: Module, node: ast.expr) -> str:
    """The tensors of an expression as one collection; the expression where nothing is known of it."""
    own = _parameters(source, node)
    if own:
        return own
    if isinstance(node, ast.List | ast.Tuple) and not any(isinstance(each, ast.Dict) for each in node.elts):
        parts = [_spread(source, each) for each in node.elts]
        alone = len(parts) == 1 and parts[0].startswith("*")
        return parts[0][1:] if alone else f"[{', '.join(parts)}]"
    if isinstance(node, ast.ListComp | ast.GeneratorExp) and (each := _parameters(source, node.elt)):
        loops = " ".join(ast.unparse(loop) for loop in node.generators)
        return f"[p {loops} for p in {each}]"
    return ast.unparse(node)


def _parameters(source: Module, node: ast.expr) -> str:
    """`model.parameters()` of a model, of a method of it, of the pairs or names that stand for it."""
    method = node.func if isinstance(node, ast.Call) and not node.args and not node.keywords else node
    if isinstance(method, ast.Attribute) and method.attr in INSTEAD:
        return f"{ast.unparse(method.value)}.parameters()"
    module = kind(source, node) == "module" and isinstance(node, ast.Name | ast.Attribute | ast.Subscript)
    return f"{ast.unparse(node)}.parameters()" if module else ""


def _spread(source: Module, node: ast.expr) -> str:
    listed = _is_generator(source, node) or all(map(_is_list, source.values(node)))
    several = _parameters(source, node) or (ast.unparse(node) if listed else "")
    return f"*{several}" if several else ast.unparse(node)


def _extended(line: FailingLine, source: Module, name: str) -> LineEdit | None:
    """`.extend(` for the only `.append(` that puts a model's parameters into this list."""
    found = [
        each.func
        for each in source.methods("append")
        if isinstance(each.func, ast.Attribute) and last_name(each.func.value) == name
        if each.args and _is_generator(source, each.args[0])
    ]
    return alone(line.put(found[0], f"{name}.extend") if len(found) == 1 else None)


def _is_generator(source: Module, node: ast.expr) -> bool:
    made = source.values(node)
    return bool(made) and all(
        isinstance(each, ast.GeneratorExp)
        or (isinstance(each, ast.Call) and last_name(each.func) in GENERATORS)
        for each in made
    )


def _is_list(node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and last_name(node.func) == "list"
    return (
        called
        or isinstance(node, ast.List | ast.ListComp)
        or (_is_sum(node) and all(map(_is_list, _added(node))))
    )


def _is_sum(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)


def _added(node: ast.expr) -> Iterator[ast.expr]:
    """The operands of a sum, from left to right."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _added(node.left)
        yield from _added(node.right)
    else:
        yield node
