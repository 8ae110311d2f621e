"""Classes numbered in an order that is another one in the next run, or on the next machine."""

import ast

from torchwhy.lint import patterns as p

KEPT = ("save", "load_state_dict", "save_pretrained", "state_dict")
A_SET = ("a set of texts", "字符串集合")
A_FOLDER = ("os.listdir()", "os.listdir()")

SAYS = {
    "en": "`{code}` numbers the classes in the order of {what}, which can be another one in the next run or on the next machine",
    "zh": "`{code}` 按 {what} 的顺序给类别编号，而下一次运行或换一台机器时该顺序可能不同",
}
FIX = {
    "en": "sort them: `enumerate(sorted(...))`, and save the list of names with the weights",
    "zh": "先排序：`enumerate(sorted(...))`，并把类别名列表与权重一起保存",
}
IN_REPRO = None


def find(module):
    kept = bool(module.methods(*KEPT) or module.calls("torch.save", "torch.load"))
    for call in module.calls("builtins.enumerate"):
        what = unordered(module, call.args[0]) if call.args else None
        above = module.parent.get(call)
        if what and isinstance(above, ast.comprehension) and isinstance(module.parent[above], ast.DictComp):
            yield (p.wrong if kept and what is A_SET else p.look)(call, code=p.text(call, 60), what=what)


def unordered(module, node):
    """What an expression takes its order from; None where it has one of its own."""
    for value in module.values(node):
        if isinstance(value, ast.Set | ast.SetComp):
            elements = value.elts if isinstance(value, ast.Set) else []
            numbers = bool(elements) and all(
                isinstance(getattr(each, "value", None), int) for each in elements
            )
            return None if numbers else A_SET
        if p.is_call(module, value, "builtins.set", "builtins.frozenset"):
            return None if filled_with_numbers(module, node) else A_SET
        if p.is_call(module, value, "os.listdir"):
            return A_FOLDER
        if p.is_call(module, value, "builtins.list", "builtins.tuple") and value.args:
            return unordered(module, value.args[0])
    return None


def filled_with_numbers(module, name):
    """Whether all that is added to the set is an int, whose order is the same in each run."""
    adds = [
        call
        for call in module.methods("add")
        if p.text(call.func.value) == p.text(name) and len(call.args) == 1
    ]
    return (
        isinstance(name, ast.Name)
        and bool(adds)
        and all(p.surely(module, call.args[0], "builtins.int") for call in adds)
    )
