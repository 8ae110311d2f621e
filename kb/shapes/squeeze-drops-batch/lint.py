"""squeeze() without a dimension, which takes away a batch of one as well."""

# the script gives its model the squeeze as an attribute
import ast

from torchwhy.lint import patterns as p

POOLS = "torch.nn.functional.adaptive_"

SAYS = {
    "en": "`{call}` takes away every dimension of size 1, a batch of one sample too",
    "zh": "`{call}` 会去掉所有大小为 1 的维度，包括只有一个样本的批次维",
}
FIX = {
    "en": "name the dimension: `squeeze(-1)`, or flatten(1)",
    "zh": "指明维度：`squeeze(-1)`，或 flatten(1)",
}
IN_REPRO = None


def find(module):
    for call in [*module.methods("squeeze"), *module.calls("torch.squeeze")]:
        plain = module.name(call.func) == "torch.squeeze"
        named = p.argument(call, 1 if plain else 0, "dim", "axis") is not None
        if named or module.name(call.func).startswith("numpy."):
            continue
        inner = call.args[0] if plain and call.args else call.func.value
        pooled = pools(module, inner)
        hands_out = in_forward(module, call) and (pooled or isinstance(module.parent[call], ast.Return))
        if hands_out or any(p.calls_model(module, value) for value in module.values(inner)):
            yield (p.wrong if pooled else p.look)(call, call=p.text(call)[-60:])


def in_forward(module, call):
    owner, function = module.class_of(call), module.function(call)
    if owner is None or function is None or function.name != "forward":
        return False
    return module.is_subclass(owner, *p.MODULE_BASES)


def pools(module, node):
    """Whether what is squeezed is a layer's output that has a trailing dimension of 1."""
    for value in p.values_by(module, node):
        if module.name(value.func).startswith(POOLS) and p.constant(p.argument(value, 1, "output_size")) == 1:
            return True
        for made in p.makers(module, value.func):
            last = module.name(made.func).rsplit(".", 1)[-1]
            of_one = last == "Linear" and p.constant(p.argument(made, 1, "out_features")) == 1
            if of_one or last.startswith("AdaptiveAvgPool"):
                return True
    return False
