"""numpy() of a model's output that still has its graph."""

from torchwhy.lint import patterns as p

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
        made = [[p.class_made(module, each) for each in p.makers(module, value.func)] for value in values]
        homes = [module, *(found[0] for each in made for found in each if found is not None)]
        if not any(map(keeps_nothing, made)) and not any(map(freezes, homes)):
            yield p.wrong(call, call=p.text(call)[-60:])


def keeps_nothing(made):
    """Whether they are classes of the project that keep nothing, and so have no parameter."""
    return bool(made) and all(found is not None and not found[1].attributes for found in made)


def freezes(module):
    """Whether anything in the file turns gradients off by another way."""
    return bool(module.methods("requires_grad_")) or any(
        each in module.text for each in ("requires_grad = False", "requires_grad=False")
    )
