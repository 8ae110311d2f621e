"""Parameters of several models joined in a form that an optimizer cannot read."""

import ast

from torchwhy.lint import patterns as p

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
    for call in p.optimizers(module):
        held = call.args[0] if call.args else None
        if isinstance(held, ast.BinOp) and isinstance(held.op, ast.Add):
            parts = [held.left, held.right]
        else:
            parts = held.elts if isinstance(held, ast.List | ast.Tuple) else []
        if any(p.parameters_of(each) is not None for each in parts):
            yield p.wrong(call, code=p.text(held, 70))
