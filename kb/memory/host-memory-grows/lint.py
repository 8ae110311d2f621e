"""A long Python list that DataLoader workers read."""

# the script's list stands in the class by a flag
import ast

from torchwhy.lint import patterns as p

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
    for call in module.calls(p.LOADER):
        data = p.argument(call, 0, "dataset")
        if p.may_have_workers(call):
            held = (each for value in module.values(data) for each in (value, *read_by_item(module, value)))
            if any(is_list(module, each) for each in held):
                yield p.look(call, dataset=p.text(data, 40))


def is_list(module, value):
    filled = isinstance(value, ast.List) and bool(value.elts)
    return filled or isinstance(value, ast.ListComp) or p.is_call(module, value, "builtins.list")


def read_by_item(module, value):
    """What the data set's class assigns to attributes of self that __getitem__ reads."""
    owner = module.classes.get(module.name(value.func)) if isinstance(value, ast.Call) else None
    if owner is None or "__getitem__" not in owner.methods:
        return []
    read = {each.attr for each in p.inside(owner.methods["__getitem__"], ast.Attribute)}
    return [each for name in owner.attributes.keys() & read for each in owner.attributes[name]]
