"""Python's own sum, max or min over a tensor, element by element."""

# the script gives its helper two ways to add up, which its source does not settle
import ast

from torchwhy.lint.kinds import kind
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{call}` walks over the first dimension of the tensor in Python, one operation for each entry",
    "zh": "`{call}` 在 Python 中沿张量的第一维逐项遍历，每项一次运算",
}
FIX = {
    "en": "use the tensor's own method: `{better}`",
    "zh": "使用张量自己的方法：`{better}`",
}
IN_REPRO = None


def is_asserted(module, call):
    """Whether a check of the program asks it: nothing runs for long there."""
    return any(isinstance(above, ast.Assert) for above in module.above(call))


def is_short(module, node):
    """Whether it is a tensor of a few written numbers, as an example shows one."""
    values = module.values(node)
    return bool(values) and all(
        isinstance(each, ast.Call)
        and module.name(each.func) == "torch.tensor"
        and bool(each.args)
        and isinstance(each.args[0], ast.List | ast.Tuple)
        for each in values
    )


def find(module):
    if module.is_test:
        return
    for call in module.calls("builtins.sum", "builtins.max", "builtins.min", "builtins.any", "builtins.all"):
        if len(call.args) == 1 and not call.keywords and kind(module, call.args[0]) == "tensor":
            if is_asserted(module, call) or is_short(module, call.args[0]):
                continue
            inner = ast.unparse(call.args[0])
            # sum() of a matrix is a row; max() and the like refuse one
            along = "0" if call.func.id == "sum" else ""
            yield wrong(call, call=ast.unparse(call)[:60], better=f"{inner}.{call.func.id}({along})")
