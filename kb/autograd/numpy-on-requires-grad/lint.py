"""numpy() of a model's output that still has its graph."""

import ast

from torchwhy.lint.context import without_gradients
from torchwhy.lint.kinds import class_made, kind, makers
from torchwhy.lint.rule import wrong

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
        while (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PASSING
        ):
            node = node.func.value
        values = module.values(node)
        if values and all(
            isinstance(value, ast.Call)
            and kind(module, value.func) == "module"
            and not bare(module, value.func)
            and not without_gradients(module, value)
            for value in values
        ):
            if not without_gradients(module, call) and not any(map(frozen, homes(module, values))):
                yield wrong(call, call=ast.unparse(call)[-60:])


def bare(module, called):
    """Whether it is a class of the file that keeps nothing, and so has no parameter."""
    made = [class_made(module, each) for each in makers(module, called)]
    return bool(made) and all(found is not None and not found[1].attributes for found in made)


def frozen(module):
    """Whether anything in the file turns gradients off by another way."""
    return bool(module.methods("requires_grad_")) or any(
        text in module.text for text in ("requires_grad = False", "requires_grad=False")
    )


def homes(module, values):
    """The file, and those of the models' classes."""
    made = [class_made(module, each) for value in values for each in makers(module, value.func)]
    return [module, *(found[0] for found in made if found is not None)]
