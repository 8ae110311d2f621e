"""requires_grad = False on a module, or a misspelt requires_grad: both set an attribute and freeze nothing."""

import ast
import difflib

from torchwhy.lint.kinds import class_made, is_module, makers
from torchwhy.lint.module import end, position
from torchwhy.lint.rule import Edit, wrong

LAYERS = ("children", "modules", "named_children", "named_modules")
PARTS = frozenset(
    "fc classifier features layer1 layer2 layer3 layer4 conv1 backbone encoder decoder head heads embeddings avgpool".split()
)

SAYS = {
    "en": "`{target} = {value}` sets a plain attribute: no parameter hears of it",
    "zh": "`{target} = {value}` 只是设置了普通属性，参数不受影响",
}
FIX = {
    "en": "call `{owner}.requires_grad_({value})`",
    "zh": "调用 `{owner}.requires_grad_({value})`",
}
IN_REPRO = "model.backbone.requires_grad = False"


def find(module):
    for node in module.by_type[ast.Attribute]:
        statement = module.parent.get(node)
        if not isinstance(node.ctx, ast.Store) or not isinstance(statement, ast.Assign):
            continue
        shown = {
            "target": ast.unparse(node),
            "value": ast.unparse(statement.value),
            "owner": ast.unparse(node.value),
        }
        if node.attr == "requires_grad":
            if is_layer(module, node.value):
                yield wrong(statement, edit(module, node, statement), **shown)
        elif difflib.SequenceMatcher(None, node.attr, "requires_grad").ratio() > 0.87 and isinstance(
            statement.value, ast.Constant
        ):
            if not isinstance(node.value, ast.Name) or node.value.id != "self":
                yield wrong(statement, **shown)


def is_layer(module, node):
    """Whether an expression is a module for sure."""
    if is_module(module, node):
        return True
    if isinstance(node, ast.Name):
        return any(each.part == "each" and gives_layers(each) for each in module.bindings(node))
    if isinstance(node, ast.Attribute) and is_module(module, node.value):
        for made in makers(module, node.value):
            found = class_made(module, made)
            if found:
                values = found[1].attributes.get(node.attr, [])
                return bool(values) and all(is_module(found[0], value) for value in values)
        return node.attr in PARTS
    return False


def gives_layers(binding):
    value = binding.value
    if not (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in LAYERS
    ):
        return False
    return not value.func.attr.startswith("named") or binding.index == 1


def edit(module, node, statement):
    line = statement.lineno
    if end(statement)[0] != line or not module.lines[line - 1].isascii() or len(statement.targets) > 1:
        return None
    start, stop = position(statement)[1], end(statement)[1]
    return Edit(
        line, start, stop, f"{ast.unparse(node.value)}.requires_grad_({ast.unparse(statement.value)})"
    )
