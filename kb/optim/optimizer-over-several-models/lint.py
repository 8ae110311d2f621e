"""Parameters of several models joined in a form that an optimizer cannot read."""

import ast

from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}`: parameters() gives a generator, which cannot be joined so",
    "zh": "`{code}`：parameters() 返回生成器，不能这样拼接",
}
FIX = {
    "en": "use `[*a.parameters(), *b.parameters()]`, or itertools.chain",
    "zh": "使用 `[*a.parameters(), *b.parameters()]` 或 itertools.chain",
}
IN_REPRO = "optimizer = torch.optim.Adam("


def find(module):
    for call in module.by_type[ast.Call]:
        if not module.name(call.func).startswith("torch.optim.") or not call.args:
            continue
        given = call.args[0]
        if (
            isinstance(given, ast.BinOp)
            and isinstance(given.op, ast.Add)
            and (generates(given.left) or generates(given.right))
        ):
            yield wrong(call, code=ast.unparse(given)[:70])
        elif isinstance(given, ast.List | ast.Tuple) and any(generates(each) for each in given.elts):
            yield wrong(call, code=ast.unparse(given)[:70])


def generates(node):
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "parameters"
    )
