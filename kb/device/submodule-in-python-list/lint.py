"""Layers kept in a plain list or dict, or a tensor to be trained that is no Parameter."""

import ast
import re

from torchwhy.lint.kinds import MODULE_BASES, class_made, is_module
from torchwhy.lint.module import argument, constant, is_open
from torchwhy.lint.rule import wrong

REGISTERS = (
    "ModuleList",
    "ModuleDict",
    "Sequential",
    "add_module",
    "register_module",
    "setattr",
    "ParameterList",
    "register_parameter",
)

EMPTY = (
    "AvgPool",
    "MaxPool",
    "AdaptiveAvgPool",
    "AdaptiveMaxPool",
    "ReLU",
    "Dropout",
    "Identity",
    "Flatten",
    "Upsample",
)

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
    for owner in module.classes.values():
        init = owner.methods.get("__init__")
        if init is None or not module.is_subclass(owner, *MODULE_BASES):
            continue
        for node in ast.walk(init):
            if isinstance(node, ast.Assign):
                yield from of_assignment(module, owner, node)
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "append"
                and len(node.args) == 1
            ):
                target = node.func.value
                if (
                    is_self(target)
                    and is_plain(owner.attributes.get(target.attr, []))
                    and is_module(module, node.args[0])
                ):
                    if not registered(module, owner, target.attr):
                        yield wrong(node, code=ast.unparse(node)[:70])


def of_assignment(module, owner, node):
    for target in node.targets:
        if not is_self(target):
            continue
        if layers(module, node.value) and not registered(module, owner, target.attr):
            yield wrong(node, code=ast.unparse(node).split("\n")[0][:70])
        call = node.value
        if (
            isinstance(call, ast.Call)
            and module.name(call.func).startswith("torch.")
            and constant(argument(call, -1, "requires_grad")) is True
        ):
            if module.name(call.func) != "torch.nn.Parameter":
                yield wrong(node, code=ast.unparse(node).split("\n")[0][:70])


def is_self(node):
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def is_plain(values):
    return bool(values) and all(isinstance(value, ast.List) and not value.elts for value in values)


def layers(module, value):
    """Whether a list, a dict or a comprehension holds modules."""
    if isinstance(value, ast.List | ast.Tuple):
        known = all(is_self(each) for each in value.elts)  # `[self.a, self.b]`: registered by their own names
        return (
            bool(value.elts)
            and not known
            and not all(is_bare_loss(module, each) for each in value.elts)
            and all(is_module(module, each) for each in value.elts)
        )
    if isinstance(value, ast.Dict):
        given = all(each is not None and is_given(module, each) for each in value.values)
        return (
            bool(value.values)
            and not given
            and not all(each is not None and is_bare_loss(module, each) for each in value.values)
            and all(each is not None and is_module(module, each) for each in value.values)
        )
    if isinstance(value, ast.ListComp):
        return is_module(module, value.elt) and not keeps_nothing(module, value.elt)
    return isinstance(value, ast.DictComp) and is_module(module, value.value)


def is_bare_loss(module, node):
    """Whether it is one of torch's losses without weights of classes: nothing to train, move or save."""
    return (
        isinstance(node, ast.Call)
        and re.fullmatch(r"torch\.nn\.(\w+\.)*\w+Loss", module.name(node.func)) is not None
        and argument(node, 0, *WEIGHTS) is None
        and not is_open(node)
    )


def is_given(module, node):
    """Whether it is an argument of __init__: whoever made it may have registered it."""
    return isinstance(node, ast.Name) and any(each.part == "param" for each in module.bindings(node))


def keeps_nothing(module, node):
    """Whether it is a class of the project with nothing to train or move: only pooling and the like inside."""
    found = class_made(module, node) if isinstance(node, ast.Call) else None
    init = found[1].methods.get("__init__") if found else None
    if init is None:
        return False
    made = [each for each in ast.walk(init) if isinstance(each, ast.Call)]
    for each in made:
        name = found[0].name(each.func)
        inner = class_made(found[0], each)
        if inner is not None and not keeps_nothing(found[0], each):
            return False
        if name.startswith("torch.") and not name.rsplit(".", 1)[-1].startswith(EMPTY):
            return False
        if inner is None and not name.startswith(("torch.", "builtins.")) and not is_super(each):
            return False
    return True


def is_super(call):
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)


def registered(module, owner, name):
    """Whether the class registers what the attribute holds in another way."""
    heirs = [each.node for each in module.classes.values() if owner.node.name in each.bases]
    for node in [inner for each in (owner.node, *heirs) for inner in ast.walk(each)]:
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in REGISTERS and (
                called in ("add_module", "setattr", "register_module", "register_parameter")
                or f"self.{name}" in ast.unparse(node)
            ):
                return True
    return False
