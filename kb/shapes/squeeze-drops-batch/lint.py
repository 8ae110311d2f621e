"""squeeze() without a dimension, which takes away a batch of one as well."""

# the script gives its model the squeeze as an attribute
import ast

from torchwhy.lint.kinds import MODULE_BASES, kind
from torchwhy.lint.module import argument
from torchwhy.lint.rule import look, wrong

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
        if (
            module.name(call.func).startswith("numpy.")
            or argument(call, 1 if plain else 0, "dim", "axis") is not None
        ):
            continue
        inner = call.args[0] if plain and call.args else call.func.value
        owner, function = module.class_of(call), module.function(call)
        in_forward = (
            owner is not None
            and function is not None
            and function.name == "forward"
            and module.is_subclass(owner, *MODULE_BASES)
        )
        returned = isinstance(module.parent[call], ast.Return)
        if in_forward and (returned or pools(module, inner)) or is_output(module, inner):
            seen = wrong if pools(module, inner) else look
            yield seen(call, call=ast.unparse(call)[-60:])


POOLS = "torch.nn.functional.adaptive_"


def is_output(module, node):
    return any(
        isinstance(value, ast.Call) and kind(module, value.func) == "module" for value in module.values(node)
    )


def pools(module, node):
    """Whether what is squeezed is a layer's output that has a trailing dimension of 1."""
    from torchwhy.lint.kinds import makers
    from torchwhy.lint.module import constant

    for value in module.values(node):
        if isinstance(value, ast.Call) and module.name(value.func).startswith(POOLS):
            if constant(argument(value, 1, "output_size")) == 1:
                return True
        for made in makers(module, value.func) if isinstance(value, ast.Call) else ():
            last = module.name(made.func).rsplit(".", 1)[-1]
            if (
                last.startswith("AdaptiveAvgPool")
                or last == "Linear"
                and constant(argument(made, 1, "out_features")) == 1
            ):
                return True
    return False
