"""Layers assigned in an __init__ that never calls nn.Module's own."""

import ast
import itertools

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{name}.__init__` assigns layers without super().__init__()",
    "zh": "`{name}.__init__` 在没有 super().__init__() 的情况下为层赋值",
}
FIX = {
    "en": "call `super().__init__()` first",
    "zh": "先调用 `super().__init__()`",
}
IN_REPRO = "self.hidden = nn.Linear(8, width)"


def find(module):
    for owner in module.classes.values():
        init = owner.methods.get("__init__")
        if init is None or not is_plain_module(module, owner) or p.methods_in(init, "__init__"):
            continue
        if not any("dataclass" in p.text(each) for each in owner.node.decorator_list):
            made = (
                node for node in init.body if isinstance(node, ast.Assign) and p.is_module(module, node.value)
            )
            for node in itertools.islice(made, 1):
                yield p.wrong(node, name=owner.node.name)


def is_plain_module(module, owner):
    """Whether its only base is nn.Module, or a class of the file that adds no __init__ to that."""
    seen = set()
    while len(owner.bases) == 1 and owner.bases[0] not in seen:
        base = owner.bases[0]
        if base == "torch.nn.Module":
            return True
        seen.add(base)
        owner = module.classes.get(base)
        if owner is None or "__init__" in owner.methods:
            return False
    return False
