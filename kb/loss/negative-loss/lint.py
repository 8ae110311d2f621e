"""Probabilities where kl_div wants their logarithms."""

# the script's targets are too large, which only their values show
from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{given}` goes into kl_div as its first argument, which wants log-probabilities: the value is no divergence, and often negative",
    "zh": "`{given}` 作为 kl_div 的第一个参数，而它需要对数概率：算出的不是散度，常为负数",
}
FIX = {
    "en": "use log_softmax for the first argument: `F.kl_div(F.log_softmax(p, dim=1), q, reduction='batchmean')`",
    "zh": "第一个参数用 log_softmax：`F.kl_div(F.log_softmax(p, dim=1), q, reduction='batchmean')`",
}
IN_REPRO = None


def find(module):
    for call, made in p.inputs_of(module, "kl_div"):
        if all(each.op in ("softmax", "sigmoid", "exp") for each in made):
            yield p.wrong(made[0].within(module, call), given=p.text(made[0].node, 60))
