"""requires_grad = False on a module, or a misspelt requires_grad: both set an attribute and freeze nothing."""

import ast
import difflib

from torchwhy.lint import patterns as p

LAYERS = ("children", "modules", "named_children", "named_modules")
PARTS = frozenset(
    "fc classifier features layer1 layer2 layer3 layer4 conv1 backbone encoder decoder head heads embeddings"
    " avgpool".split()
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
        owner, value = p.text(node.value), p.text(statement.value)
        shown = {"target": p.text(node), "value": value, "owner": owner}
        if node.attr == "requires_grad":
            if is_layer(module, node.value):
                new = f"{owner}.requires_grad_({value})"
                fix = p.edit(module, p.position(statement), p.end(statement), new)
                yield p.wrong(statement, fix if len(statement.targets) == 1 else None, **shown)
        elif difflib.SequenceMatcher(None, node.attr, "requires_grad").ratio() > 0.87 and owner != "self":
            if isinstance(statement.value, ast.Constant):
                yield p.wrong(statement, **shown)


def is_layer(module, node):
    """Whether an expression is a module for sure."""
    if p.is_module(module, node):
        return True
    if isinstance(node, ast.Name):
        return any(each.part == "each" and gives_layers(each) for each in module.bindings(node))
    if not isinstance(node, ast.Attribute) or not p.is_module(module, node.value):
        return False
    found = next(filter(None, (p.class_made(module, made) for made in p.makers(module, node.value))), None)
    if found is None:
        return node.attr in PARTS
    values = found[1].attributes.get(node.attr, [])
    return bool(values) and all(p.is_module(found[0], value) for value in values)


def gives_layers(binding):
    walks = p.method(binding.value)
    return walks in LAYERS and (not walks.startswith("named") or binding.index == 1)
