"""Layers kept in a plain list or dict, or a tensor to be trained that is no Parameter."""

import ast
import re

from torchwhy.lint import patterns as p

REGISTERS = ("add_module", "setattr", "register_module", "register_parameter")
HOLDERS = ("ModuleList", "ModuleDict", "Sequential", "ParameterList")
WEIGHTS = ("weight", "pos_weight")  # what a loss holds and to() moves

SAYS = {
    "en": "`{code}` does not register the layers: parameters(), to() and state_dict() miss them",
    "zh": "`{code}` 不会注册这些层：parameters()、to() 和 state_dict() 都看不到它们",
}
FIX = {
    "en": "use nn.ModuleList, nn.ModuleDict or nn.Parameter",
    "zh": "使用 nn.ModuleList、nn.ModuleDict 或 nn.Parameter",
}
IN_REPRO = "self.layers = ["


def find(module):
    for owner in p.classes(module, p.MODULE_BASES, "__init__"):
        for node in p.inside(owner.methods["__init__"], ast.Assign, ast.Call):
            if isinstance(node, ast.Assign):
                held = any(
                    p.is_self(target)
                    and (
                        is_bare_parameter(module, node.value)
                        or (layers(module, node.value) and not registered(module, owner, target.attr))
                    )
                    for target in node.targets
                )
            else:
                target = node.func.value if p.method(node) == "append" and len(node.args) == 1 else None
                held = (
                    p.is_self(target)
                    and not p.is_self(node.args[0])  # registered by its own name
                    and is_plain(owner.attributes.get(target.attr, []))
                    and p.is_module(module, node.args[0])
                    and not registered(module, owner, target.attr)
                )
            if held:
                yield p.wrong(node, code=p.text(node, 70))


def is_bare_parameter(module, value):
    """Whether it is a tensor to be trained that is no Parameter."""
    name = module.name(value.func) if isinstance(value, ast.Call) else ""
    trained = name.startswith("torch.") and p.constant(p.argument(value, -1, "requires_grad")) is True
    return trained and name != "torch.nn.Parameter"


def is_plain(values):
    return bool(values) and all(isinstance(value, ast.List) and not value.elts for value in values)


def layers(module, value):
    """Whether a list, a dict or a comprehension holds modules, also `n * [layer]`."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        return any(layers(module, side) for side in (value.left, value.right))
    if isinstance(value, ast.ListComp):
        return p.is_module(module, value.elt) and not p.keeps_nothing(module, value.elt)
    if isinstance(value, ast.DictComp):
        return p.is_module(module, value.value)
    if isinstance(value, ast.List | ast.Tuple):
        held = value.elts
        known = all(map(p.is_self, held))  # `[self.a, self.b]`: registered by their own names
    else:
        held = value.values if isinstance(value, ast.Dict) else []
        known = all(is_given(module, each) for each in held)
    losses = all(is_bare_loss(module, each) for each in held)
    return bool(held) and not known and not losses and all(p.is_module(module, each) for each in held)


def is_bare_loss(module, node):
    """Whether it is one of torch's losses without weights of classes: nothing to train, move or save."""
    name = module.name(node.func) if isinstance(node, ast.Call) else ""
    is_loss = re.fullmatch(r"torch\.nn\.(\w+\.)*\w+Loss", name)
    return bool(is_loss) and p.argument(node, 0, *WEIGHTS) is None and not p.is_open(node)


def is_given(module, node):
    """Whether it is an argument of __init__: whoever made it may have registered it."""
    return isinstance(node, ast.Name) and any(each.part == "param" for each in module.bindings(node))


def registered(module, owner, name):
    """Whether the class, or one that descends from it, registers what the attribute holds in another way."""
    if "parameters" in owner.methods:
        return True  # it gives them out itself
    if any(picks(module, value, name) for values in owner.attributes.values() for value in values):
        return True  # the one that is used has a name of its own
    heirs = (each.node for each in module.classes.values() if owner.node.name in each.bases)
    return any(
        p.called(call) in REGISTERS or (p.called(call) in HOLDERS and f"self.{name}" in ast.unparse(call))
        for node in (owner.node, *heirs)
        for call in p.inside(node, ast.Call)
    )


def picks(module, value, name):
    """Whether it is one of them: `self.nets[name]`, or what a method gives that returns it."""
    called = module.called(value) if isinstance(value, ast.Call) else None
    results = p.returned(called[1]) if called and called[0] is module else [value]
    found = (each for result in results for each in module.values(result))
    return any(isinstance(each, ast.Subscript) and p.text(each.value) == f"self.{name}" for each in found)
