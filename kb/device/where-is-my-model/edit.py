"""The device of a module: that of one of its parameters."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside
from torchwhy.source.roles import is_module, is_module_class

ASKED = ("device", "is_cuda", "get_device")


def of_a_parameter(line: FailingLine, values: Values) -> LineEdit | None:
    """`next(model.parameters()).device`, where the only name or `self` that is asked is a module."""
    source, statement = line.file, line.failing
    asked = [each for each in inside(statement, ast.Attribute) if each.attr in ASKED]
    modules = {ast.unparse(each.value): each for each in asked if _is_module(source, each.value)}
    if len(modules) != 1:
        return None
    [(name, node)] = modules.items()
    place = source.place_of(node.value)
    if place is None or sum(ast.unparse(each.value) == name for each in asked) != 1:
        return None
    return LineEdit(place, place.with_text(f"next({name}.parameters())"), alone=True)


def _is_module(source: Module, node: ast.expr) -> bool:
    if isinstance(node, ast.Name) and node.id == "self":
        around = source.class_of(node)
        if around is None or not is_module_class(source, around) or "device" in around.attributes:
            return False
        made = [value for values in around.attributes.values() for value in values]
        return any(is_module(source, each) for each in made)
    return is_module(source, node)
