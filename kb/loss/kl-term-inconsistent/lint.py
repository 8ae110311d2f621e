"""A divergence from the standard normal that is not smallest at mean 0 and deviation 1."""

import ast
import math

from torchwhy.lint import patterns as p

STEP, ROUNDING = 1e-5, 1e-3

SAYS = {
    "en": "`{code}` is not smallest where `{name}` means a deviation of 1: one term takes it for the logarithm of the variance, another one does not",
    "zh": "`{code}` 在 `{name}` 表示标准差为 1 时并不是最小：一项把它当作方差的对数，另一项却不是",
}
FIX = {
    "en": "with log_var = log(sigma ** 2): `-0.5 * (1 + log_var - mean.pow(2) - log_var.exp())`, and draw with `(0.5 * log_var).exp()`",
    "zh": "令 log_var = log(sigma ** 2)：`-0.5 * (1 + log_var - mean.pow(2) - log_var.exp())`，采样时用 `(0.5 * log_var).exp()`",
}
IN_REPRO = "return -0.5 * (1 + 2 * log_std"


def find(module):
    for node in module.by_type[ast.BinOp]:
        above = module.parent[node]
        if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add | ast.Sub):
            continue
        terms = summed(node)
        names = {each.id for each in p.inside(node, ast.Name)} - {"torch", "np", "math", "F"}
        found = [one for one in names if is_in(node, one, "exp")]
        if (
            len(terms) != 4
            or len(names) != 2
            or len(found) != 1
            or not any(p.constant(one) == 1 for _, one in terms)
        ):
            continue
        name = found[0]
        try:
            slope = (value(node, name, STEP) - value(node, name, -STEP)) / (2 * STEP)
            least = value(node, name, 0.0)
        except (ValueError, OverflowError):
            continue
        if abs(slope) > ROUNDING or abs(least) > ROUNDING:
            yield p.wrong(node, code=p.text(node, 70), name=name)


def summed(node, sign=1):
    """The terms of a sum with their signs."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other = sign if isinstance(node.op, ast.Add) else -sign
        return [*summed(node.left, sign), *summed(node.right, other)]
    return [(sign, node)]


def is_in(node, name, function):
    return any(name in p.names_in(call) for call in p.inside(node, ast.Call) if p.called(call) == function)


def value(node, name, at):
    """What an expression of numbers is where this name is `at`, and all others are 0."""
    if isinstance(node, ast.Name):
        return at if node.id == name else 0.0
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -value(node.operand, name, at)
    if isinstance(node, ast.BinOp):
        one, two = value(node.left, name, at), value(node.right, name, at)
        kinds = {ast.Add: one + two, ast.Sub: one - two, ast.Mult: one * two}
        kinds |= {ast.Pow: one**two} if isinstance(node.op, ast.Pow) else {}
        kinds |= {ast.Div: one / two} if isinstance(node.op, ast.Div) and two else {}
        if type(node.op) in kinds:
            return kinds[type(node.op)]
    if isinstance(node, ast.Call):
        of_torch = isinstance(node.func, ast.Attribute) and p.text(node.func.value) in ("torch", "np", "math")
        given = node.args if of_torch else [getattr(node.func, "value", None), *node.args]
        numbers = [value(each, name, at) for each in given if each is not None]
        if p.called(node) == "exp" and len(numbers) == 1:
            return math.exp(numbers[0])
        if p.called(node) in ("pow", "square") and numbers:
            return numbers[0] ** (numbers[1] if len(numbers) > 1 else 2)
    constant = p.constant(node)
    if isinstance(constant, int | float):
        return float(constant)
    raise ValueError(ast.dump(node))
