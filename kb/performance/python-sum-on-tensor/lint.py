"""Python's own sum, max or min over a tensor, element by element."""

# the script gives its helper two ways to add up, which its source does not settle
import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` walks over the first dimension of the tensor in Python, one operation for each entry",
    "zh": "`{call}` 在 Python 中沿张量的第一维逐项遍历，每项一次运算",
}
FIX = {
    "en": "use the tensor's own method: `{better}`",
    "zh": "使用张量自己的方法：`{better}`",
}
IN_REPRO = None


def find(module):
    if module.is_test:
        return
    for call in module.calls(*(f"builtins.{name}" for name in ("sum", "max", "min", "any", "all"))):
        if len(call.args) != 1 or call.keywords or p.kind(module, call.args[0]) != "tensor":
            continue
        asserted = any(isinstance(above, ast.Assert) for above in module.above(call))  # runs for long nowhere
        if not asserted and not is_short(module, call.args[0]):
            # sum() of a matrix is a row; max() and the like refuse one
            along = "0" if call.func.id == "sum" else ""
            better = f"{p.text(call.args[0])}.{call.func.id}({along})"
            yield p.wrong(call, call=p.text(call, 60), better=better)


def is_short(module, node):
    """Whether it is a tensor of a few written numbers, as an example shows one."""
    return p.surely(module, node, "torch.tensor") and all(
        isinstance(each.args[0], ast.List | ast.Tuple) if each.args else False for each in module.values(node)
    )
