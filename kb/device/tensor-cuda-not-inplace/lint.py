"""`x.cuda()` or `x.to(device)` of a tensor, whose result is dropped."""

import ast

from assistant.lint.kinds import kind
from assistant.lint.rule import Edit, wrong

METHODS = ("to", "cuda", "cpu", "float", "half", "double", "long", "detach", "requires_grad")

SAYS = {
    "en": "the result of `{call}` is dropped: a tensor's {method}() changes nothing in place",
    "zh": "`{call}` 的结果被丢弃：张量的 {method}() 不会就地改变它",
}
FIX = {
    "en": "assign it: `{owner} = {call}`",
    "zh": "赋值：`{owner} = {call}`",
}
IN_REPRO = "batch.to(device)"


def find(module):
    for call in module.methods(*METHODS):
        statement = module.parent[call]
        if isinstance(statement, ast.Expr) and kind(module, call.func.value) == "tensor":
            owner = ast.unparse(call.func.value)
            fix = (
                Edit(call.lineno, call.col_offset, call.col_offset, f"{owner} = ")
                if isinstance(call.func.value, ast.Name)
                else None
            )
            if not module.lines[call.lineno - 1].isascii():
                fix = None
            yield wrong(call, fix, call=ast.unparse(call), method=call.func.attr, owner=owner)
