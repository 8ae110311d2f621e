"""A comparison with nan, which is never equal to anything."""

import ast

from torchwhy.lint.module import constant
from torchwhy.lint.rule import wrong

NANS = ("numpy.nan", "numpy.NaN", "numpy.NAN", "math.nan", "torch.nan")

SAYS = {
    "en": "`{compare}` is {always} true: nan is not equal to itself",
    "zh": "`{compare}` {always}成立：nan 与自身也不相等",
}
FIX = {
    "en": "use torch.isnan(x), math.isnan(x) or not torch.isfinite(x)",
    "zh": "使用 torch.isnan(x)、math.isnan(x) 或 not torch.isfinite(x)",
}
IN_REPRO = 'return loss.item() == float("nan")'


def find(module):
    for node in module.by_type[ast.Compare]:
        sides = [node.left, *node.comparators]
        if any(isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in node.ops) and any(
            is_nan(module, side) for side in sides
        ):
            other = any(isinstance(op, ast.NotEq | ast.NotIn) for op in node.ops)
            yield wrong(
                node,
                compare=ast.unparse(node),
                always=("always", "永远") if other else ("never", "永远不"),
            )


def is_nan(module, node):
    if isinstance(node, ast.Name | ast.Attribute) and module.name(node) in NANS:
        return True
    if isinstance(node, ast.Tuple | ast.List):
        return any(is_nan(module, each) for each in node.elts)
    return (
        isinstance(node, ast.Call)
        and module.name(node.func) in ("builtins.float", "torch.tensor")
        and bool(node.args)
        and (str(constant(node.args[0])).lower() == "nan" or is_nan(module, node.args[0]))
    )
