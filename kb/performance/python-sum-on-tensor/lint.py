"""Python's own sum, max or min over a tensor, element by element."""

# the script gives its helper two ways to add up, which its source does not settle
import ast

from assistant.lint.kinds import kind
from assistant.lint.rule import wrong

SAYS = {
    "en": "`{call}` walks over the tensor in Python, one operation for each element",
    "zh": "`{call}` 在 Python 中逐个元素遍历张量，每个元素一次运算",
}
FIX = {
    "en": "use the tensor's own method: `{better}`",
    "zh": "使用张量自己的方法：`{better}`",
}
IN_REPRO = None


def find(module):
    for call in module.calls("builtins.sum", "builtins.max", "builtins.min", "builtins.any", "builtins.all"):
        if len(call.args) == 1 and not call.keywords and kind(module, call.args[0]) == "tensor":
            inner = ast.unparse(call.args[0])
            yield wrong(call, call=ast.unparse(call)[:60], better=f"{inner}.{call.func.id}()")
