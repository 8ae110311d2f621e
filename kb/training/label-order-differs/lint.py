"""Classes numbered in an order that is another one in the next run, or on the next machine."""

import ast

from torchwhy.lint.rule import look, wrong

SAYS = {
    "en": "`{code}` numbers the classes in the order of {what}, which can be another one in the next run or on the next machine",
    "zh": "`{code}` 按 {what} 的顺序给类别编号，而下一次运行或换一台机器时该顺序可能不同",
}
FIX = {
    "en": "sort them: `enumerate(sorted(...))`, and save the list of names with the weights",
    "zh": "先排序：`enumerate(sorted(...))`，并把类别名列表与权重一起保存",
}
IN_REPRO = None
KEPT = ("save", "load_state_dict", "save_pretrained", "state_dict")


def find(module):
    kept = bool(module.methods(*KEPT) or module.calls("torch.save", "torch.load"))
    for call in module.calls("builtins.enumerate"):
        what = unordered(module, call.args[0]) if call.args else ""
        above = module.parent.get(call)
        if what and isinstance(above, ast.comprehension) and isinstance(module.parent[above], ast.DictComp):
            seen = wrong if kept and what.startswith("a set") else look
            yield seen(call, code=ast.unparse(call)[:60], what=WORDS[what])


WORDS = {
    "a set": ("a set of texts", "字符串集合"),
    "a folder": ("os.listdir()", "os.listdir()"),
}


def unordered(module, node):
    """a set, a folder: what an expression takes its order from; "" where it has one of its own."""
    for value in module.values(node):
        if isinstance(value, ast.Set | ast.SetComp):
            return "" if numbers(value) else "a set"
        if isinstance(value, ast.Call):
            name = module.name(value.func)
            if name in ("builtins.set", "builtins.frozenset"):
                return "" if filled_with_numbers(module, node) else "a set"
            if name == "os.listdir":
                return "a folder"
            if name in ("builtins.list", "builtins.tuple") and value.args:
                return unordered(module, value.args[0])
    return ""


def filled_with_numbers(module, name):
    """Whether all that is added to the set is an int, whose order is the same in each run."""
    added = [
        call.args[0]
        for call in module.methods("add")
        if isinstance(name, ast.Name) and ast.unparse(call.func.value) == name.id and len(call.args) == 1
    ]
    values = [value for each in added for value in module.values(each)]
    return bool(values) and all(
        isinstance(value, ast.Call) and module.name(value.func) == "builtins.int" for value in values
    )


def numbers(value):
    elements = value.elts if isinstance(value, ast.Set) else []
    return bool(elements) and all(
        isinstance(each, ast.Constant) and isinstance(each.value, int) for each in elements
    )
