"""A module that is built under no_grad, as if that froze it."""

import ast

from torchwhy.lint.patterns import is_module, is_no_grad, stored, text, training_loops, wrong

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
    if module.methods("requires_grad_") or stored(module, "requires_grad"):
        return  # something freezes parameters in the way that works
    trained = [module.scope(loop) for loop, _ in training_loops(module)]
    for block in module.by_type[ast.With]:
        if module.scope(block) in trained and any(
            is_no_grad(module, each.context_expr) for each in block.items
        ):
            for node in block.body:
                made = isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
                if made and is_module(module, node.value):
                    name = text(node.targets[0])
                    if is_used_outside(module, block, name):
                        yield wrong(node, name=name)


def is_used_outside(module, block, name):
    """Whether what trains sees it: a module that only makes the data under no_grad needs no freezing."""
    return any(
        isinstance(each.ctx, ast.Load) and text(each) == name and block not in module.above(each)
        for each in [*module.by_type[ast.Name], *module.by_type[ast.Attribute]]
    )
