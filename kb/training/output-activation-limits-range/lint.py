"""A last activation that cannot give the values that are asked for."""

import ast

from torchwhy.lint import patterns as p

CLASSIFYING = ("cross_entropy", "bce_with_logits", "nll_loss")
FITTING = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
POSITIVE = ("abs", "square", "relu", "pow", "**", "exp")

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
    for loss in (
        CLASSIFYING + FITTING if not module.is_test else ()
    ):  # nothing is trained there for its own sake
        for call, made in p.inputs_of(module, loss):
            if any(each.op != "relu" or in_branch(each) for each in made):
                continue
            certain = loss in CLASSIFYING or drawn_around_zero(module, p.argument(call, 1, "target"))
            for each in made:
                seen = p.wrong if certain else p.look
                yield seen(each.within(module, call), layer=p.text(each.node, 50), loss=loss)


def in_branch(made):
    """Whether the activation stands in a branch of a loop, such as `if i < len(self.layers) - 1:`."""
    return any(made.module.loops(branch) for branch in p.conditions(made.module, made.node, None))


def drawn_around_zero(module, node):
    """Whether targets are drawn around 0."""
    values = module.values(node)
    parts = [each for value in values for name in p.inside(value, ast.Name) for each in module.values(name)]
    whole = " ".join(map(ast.unparse, [*values, *parts]))
    return "randn" in whole and not any(word in whole for word in POSITIVE)
