"""A module that is built under no_grad, as if that froze it."""

import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{name}` is built under no_grad, which does not freeze it: its parameters still require gradients",
    "zh": "`{name}` 在 no_grad 中创建，但这并不会冻结它：其参数仍然需要梯度",
}
FIX = {
    "en": "freeze it with `{name}.requires_grad_(False)`",
    "zh": "用 `{name}.requires_grad_(False)` 冻结",
}
IN_REPRO = "backbone = nn.Sequential("


def find(module):
    if module.methods("requires_grad_") or p.stored(module, "requires_grad"):
        return  # something freezes parameters in the way that works
    trained = [module.scope(loop) for loop, _ in p.training_loops(module)]
    for block in module.by_type[ast.With]:
        if module.scope(block) in trained and any(
            p.is_no_grad(module, each.context_expr) for each in block.items
        ):
            for node in block.body:
                made = isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
                if made and p.is_module(module, node.value):
                    name = p.text(node.targets[0])
                    if is_used_outside(module, block, name):
                        yield p.wrong(node, name=name)


def is_used_outside(module, block, name):
    """Whether what trains sees it: a module that only makes the data under no_grad needs no freezing."""
    return any(
        isinstance(each.ctx, ast.Load) and p.text(each) == name and block not in module.above(each)
        for each in [*module.by_type[ast.Name], *module.by_type[ast.Attribute]]
    )
