"""A last activation that cannot give the values that are asked for."""

import ast

from torchwhy.lint.flow import loss_calls, made_by
from torchwhy.lint.module import argument
from torchwhy.lint.rule import look, wrong

CLASSIFYING = ("cross_entropy", "bce_with_logits", "nll_loss")
FITTING = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")

SAYS = {
    "en": "`{layer}` is the last operation in front of {loss}: no output below 0 is possible",
    "zh": "`{layer}` 是 {loss} 之前的最后一步：输出不可能小于 0",
}
FIX = {
    "en": "leave out the last activation",
    "zh": "去掉最后一个激活函数",
}
IN_REPRO = "fit(nn.ReLU())"


def find(module):
    if module.is_test:  # nothing is trained for its own sake
        return
    for loss, call, _ in loss_calls(module):
        made = made_by(module, argument(call, 0, "input"))
        if not made or loss not in CLASSIFYING + FITTING or not all(each.op == "relu" for each in made):
            continue
        for each in () if any(in_branch(each) for each in made) else made:
            node = each.node if each.module is module else call
            seen = wrong if loss in CLASSIFYING or negative(module, argument(call, 1, "target")) else look
            yield seen(node, layer=ast.unparse(each.node)[:50], loss=loss)


def in_branch(made):
    """Whether the activation stands in a branch of a loop, such as `if i < len(self.layers) - 1:`."""
    return any(
        isinstance(above, ast.If) and made.module.loops(above) for above in made.module.above(made.node)
    )


def negative(module, node):
    """Whether targets are drawn around 0."""
    text = " ".join(ast.unparse(value) for value in module.values(node))
    names = [
        inner for value in module.values(node) for inner in ast.walk(value) if isinstance(inner, ast.Name)
    ]
    text += " ".join(ast.unparse(value) for name in names for value in module.values(name))
    return "randn" in text and not any(word in text for word in ("abs", "square", "relu", "pow", "**", "exp"))
