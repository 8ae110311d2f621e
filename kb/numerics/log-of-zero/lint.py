"""The logarithm of a probability that can round to 0."""

import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` is -inf as soon as the probability rounds to 0, and its gradient nan",
    "zh": "概率一旦舍入为 0，`{call}` 就是 -inf，梯度为 nan",
}
FIX = {
    "en": "compute it from the logits: log_softmax, logsigmoid or the loss with logits",
    "zh": "直接由 logits 计算：log_softmax、logsigmoid 或带 logits 的损失",
}
IN_REPRO = "return -(y * torch.log(p)"


def find(module):
    if "backward" not in module.text or module.is_test:
        return
    for call in [*module.calls("torch.log"), *module.methods("log")]:
        plain = module.name(call.func) == "torch.log"
        if is_read(module, call) or module.name(call.func).startswith(("math.", "numpy.")):
            continue
        inner = call.args[0] if call.args else call.func.value
        if plain is not bool(call.args):
            continue
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub) and p.constant(inner.left) == 1:
            inner = inner.right
        made = p.made_by(module, inner)
        if made and all(each.op in ("softmax", "sigmoid") and not is_table(each) for each in made):
            yield p.wrong(call, call=p.text(call, 60))


def is_table(made):
    """Whether it is of a range of constants, such as a table of the function's values."""
    calls = p.inside(made.node, ast.Call)
    return any(p.is_call(made.module, each, "torch.arange", "torch.linspace") for each in calls)


def is_read(module, call):
    """Whether the logarithm becomes a number at once, as what is shown of a chosen token: no gradient."""
    above = module.parent.get(call)
    while isinstance(above, ast.Attribute | ast.Call):
        if isinstance(above, ast.Attribute) and above.attr in ("item", "tolist", "numpy"):
            return True
        above = module.parent.get(above)
    return False
