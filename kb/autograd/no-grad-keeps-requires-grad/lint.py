"""A module that is built under no_grad, as if that froze it."""

import ast

from torchwhy.lint.context import is_no_grad
from torchwhy.lint.events import training_loops
from torchwhy.lint.kinds import is_module
from torchwhy.lint.rule import wrong

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
    trained = [module.scope(loop) for loop, _ in training_loops(module)]
    blocks = [
        node
        for node in module.by_type[ast.With]
        if any(is_no_grad(module, item.context_expr) for item in node.items)
    ]
    for block in blocks:
        if module.scope(block) not in trained:
            continue
        for node in block.body:
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and is_module(module, node.value)
            ):
                name = ast.unparse(node.targets[0])
                if not freezes(module) and is_used_outside(module, block, node.targets[0]):
                    yield wrong(node, name=name)


def is_used_outside(module, block, target):
    """Whether what trains sees it: a module that only makes the data under no_grad needs no freezing."""
    name = ast.unparse(target)
    return any(
        ast.unparse(each) == name and not any(above is block for above in module.above(each))
        for kind in (ast.Name, ast.Attribute)
        for each in module.by_type[kind]
        if isinstance(each.ctx, ast.Load)
    )


def freezes(module):
    """Whether anything in the file freezes parameters in the way that works."""
    return bool(module.methods("requires_grad_")) or any(
        node.attr == "requires_grad" and isinstance(node.ctx, ast.Store)
        for node in module.by_type[ast.Attribute]
    )
