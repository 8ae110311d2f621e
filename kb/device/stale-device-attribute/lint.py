"""A device that __init__ remembers, of a module that is moved afterwards."""

import ast

from torchwhy.lint.kinds import MODULE_BASES, is_module
from torchwhy.lint.module import argument, argument_of, constant
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}` is read once: after `{moved}` the weights are elsewhere, and tensors made on self.{name} are not",
    "zh": "`{code}` 只读取一次：`{moved}` 之后权重已在别处，而按 self.{name} 创建的张量仍在原处",
}
FIX = {
    "en": "ask when it is needed: `next(self.parameters()).device`, or the input's `x.device`",
    "zh": "用到时再取：`next(self.parameters()).device`，或输入的 `x.device`",
}
IN_REPRO = "self.device = torch.device(device)"


def find(module):
    moves = [call for call in module.methods("to", "cuda") if moves_away(module, call)]
    for owner in module.classes.values() if moves else ():
        init = owner.methods.get("__init__")
        if init is None or not module.is_subclass(owner, *MODULE_BASES):
            continue
        made = [call for call in module.by_type[ast.Call] if module.name(call.func) == owner.node.name]
        for node in init.body:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if not (
                isinstance(target, ast.Attribute)
                and "device" in target.attr
                and ast.unparse(target.value) == "self"
            ):
                continue
            if is_early(module, node.value, init, made) and used(owner, target.attr):
                code, moved = ast.unparse(node), ast.unparse(moves[0])
                yield wrong(node, code=code, moved=moved, name=target.attr)


def moves_away(module, call):
    given = argument(call, 0, "device")
    return is_module(module, call.func.value) and constant(given) != "cpu"


def is_early(module, value, init, made):
    """Whether the device is that of the weights as they are made: asked of them, "cpu", or a default."""
    text = ast.unparse(value)
    if "parameters()" in text or text.endswith(".weight.device"):
        return True
    if isinstance(value, ast.Call) and module.name(value.func) == "torch.device" and value.args:
        value = value.args[0]
    if constant(value) is not None:
        return constant(value) == "cpu"
    if not isinstance(value, ast.Name) or value.id not in {each.arg for each in init.args.args} or not made:
        return False
    return all(argument_of(init, call, value.id, True) is default_of(init, value.id) for call in made)


def default_of(init, name):
    """The default of a parameter: what stands for it where a call gives nothing."""
    names = [each.arg for each in init.args.args]
    at = names.index(name) - (len(names) - len(init.args.defaults))
    return init.args.defaults[at] if at >= 0 else None


def used(owner, name):
    """Whether another method makes or moves something there."""
    return any(
        isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load)
        for method in owner.methods.values()
        if method.name != "__init__"
        for node in ast.walk(method)
    )
