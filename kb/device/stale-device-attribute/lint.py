"""A device that __init__ remembers, of a module that is moved afterwards."""

import ast

from torchwhy.lint import patterns as p

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
    moved = [call for call in module.methods("to", "cuda") if moves_away(module, call)]
    for owner in p.classes(module, p.MODULE_BASES, "__init__"):
        moves = [call for call in moved if module.class_of(call) is not owner]  # there it is a part of it
        init = owner.methods["__init__"]
        made = module.calls(owner.node.name)
        for node in init.body if moves else ():
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            once = p.is_self(target) and "device" in target.attr and len(owner.attributes[target.attr]) == 1
            if once and is_early(module, node.value, init, made):
                others = (each for each in owner.methods.values() if each.name != "__init__")
                if any(target.attr in p.read_from(each) for each in others):
                    yield p.wrong(node, code=p.text(node), moved=p.text(moves[0]), name=target.attr)


def moves_away(module, call):
    return p.is_module(module, call.func.value) and p.constant(p.argument(call, 0, "device")) != "cpu"


def is_early(module, value, init, made):
    """Whether the device is that of the weights as they are made: asked of them, "cpu", or a default."""
    if "parameters()" in p.text(value) or p.text(value).endswith(".weight.device"):
        return True
    if p.is_call(module, value, "torch.device") and value.args:
        value = value.args[0]
    if p.constant(value) is not None:
        return p.constant(value) == "cpu"
    names = [each.arg for each in init.args.args]
    if not isinstance(value, ast.Name) or value.id not in names or not made:
        return False
    at = names.index(value.id) - (len(names) - len(init.args.defaults))
    default = init.args.defaults[at] if at >= 0 else None  # what stands for it where a call gives nothing
    return all(p.argument_of(init, call, value.id, True) is default for call in made)
