"""A comparison with nan, which is never equal to anything."""

import ast

from torchwhy.lint import patterns as p

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
        compares = any(isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in node.ops)
        if compares and any(is_nan(module, side) for side in (node.left, *node.comparators)):
            other = any(isinstance(op, ast.NotEq | ast.NotIn) for op in node.ops)
            yield p.wrong(
                node, compare=p.text(node), always=("always", "永远") if other else ("never", "永远不")
            )


def is_nan(module, node):
    if isinstance(node, ast.Tuple | ast.List):
        return any(is_nan(module, each) for each in node.elts)
    if p.is_call(module, node, "builtins.float", "torch.tensor") and node.args:
        return str(p.constant(node.args[0])).lower() == "nan" or is_nan(module, node.args[0])
    return module.name(node) in NANS
