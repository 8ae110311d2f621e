"""backward() of a loss that was not reduced."""

# the script's loss is a matrix of another kind
from torchwhy.lint import patterns as p

SAYS = {
    "en": '`{call}` is called on a loss per element (reduction="none")',
    "zh": '`{call}` 作用于逐元素的损失（reduction="none"）',
}
FIX = {
    "en": "reduce it first: `.mean()` or `.sum()`",
    "zh": "先归约：`.mean()` 或 `.sum()`",
}
IN_REPRO = None


def find(module):
    unreduced = {
        call
        for _, call, made in p.loss_calls(module)
        if p.constant(p.argument(made, -1, "reduction")) == "none"
    }
    for call in module.methods("backward") if unreduced else ():
        values = module.values(call.func.value)
        if not call.args and not call.keywords and values and unreduced.issuperset(values):
            yield p.wrong(call, call=p.text(call))
