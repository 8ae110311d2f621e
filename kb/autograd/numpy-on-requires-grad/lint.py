"""numpy() of a model's output that still has its graph."""

import re

from torchwhy.lint import patterns as p

FREEZES = re.compile(r"requires_grad_\(|requires_grad ?= ?False")  # anything in the file
PASSING = frozenset("cpu squeeze float view reshape flatten argmax_".split())

SAYS = {
    "en": "`{call}`: the output of the model still requires grad",
    "zh": "`{call}`：模型的输出仍带有梯度",
}
FIX = {
    "en": "detach it first: `.detach().cpu().numpy()`",
    "zh": "先 detach：`.detach().cpu().numpy()`",
}
IN_REPRO = "error = numpy.abs("


def find(module):
    for call in module.methods("numpy"):
        node = call.func.value
        while p.method(node) in PASSING:
            node = node.func.value
        values = module.values(node)
        if not values or not all(p.calls_model(module, each) for each in values):
            continue
        if any(p.without_gradients(module, each) for each in (call, *values)):
            continue
        if not FREEZES.search(module.text) and not any(p.gives_no_graph(module, each) for each in values):
            yield p.wrong(call, call=p.text(call)[-60:])
