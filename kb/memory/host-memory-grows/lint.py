"""A long Python list that DataLoader workers read."""

# the script's list stands in the class by a flag
import ast

from torchwhy.lint.kinds import LOADER
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import look

SAYS = {
    "en": "`{dataset}` is a Python list: each worker comes to copy it, as reading an object writes its counter",
    "zh": "`{dataset}` 是 Python 列表：读取对象会改写其引用计数，每个 worker 都会逐渐复制一份",
}
FIX = {
    "en": "keep it in a tensor or a NumPy array",
    "zh": "保存在张量或 NumPy 数组中",
}
IN_REPRO = None


def find(module):
    for call in module.calls(LOADER):
        workers = argument(call, -1, "num_workers")
        given = argument(call, 0, "dataset")
        if workers is None or constant(workers) == 0:
            continue
        for value in module.values(given):
            held = is_list(module, value) or any(is_list(module, each) for each in attributes(module, value))
            if held:
                yield look(call, dataset=ast.unparse(given)[:40])
                break


def is_list(module, value):
    made = isinstance(value, ast.Call) and module.name(value.func) == "builtins.list"
    return made or isinstance(value, ast.ListComp) or isinstance(value, ast.List) and bool(value.elts)


def attributes(module, value):
    """What the data set's class assigns to attributes of self that __getitem__ reads."""
    owner = module.classes.get(module.name(value.func)) if isinstance(value, ast.Call) else None
    if owner is None or "__getitem__" not in owner.methods:
        return []
    read = {node.attr for node in ast.walk(owner.methods["__getitem__"]) if isinstance(node, ast.Attribute)}
    return [each for name, values in owner.attributes.items() if name in read for each in values]
