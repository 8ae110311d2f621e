"""The last step taken from the second axis of a recurrent layer that was not told batch_first."""

# the script compares two samples, and takes no last step
import ast

from torchwhy.lint.kinds import makers
from torchwhy.lint.module import argument, constant, is_open
from torchwhy.lint.rule import wrong

LAYERS = ("torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN")

SAYS = {
    "en": "`{use}` takes the second axis for time, but `{layer}` without batch_first puts the batch there",
    "zh": "`{use}` 把第二维当作时间，而没有 batch_first 的 `{layer}` 第二维是批次",
}
FIX = {
    "en": "pass batch_first=True",
    "zh": "传入 batch_first=True",
}
IN_REPRO = None


def find(module):
    for node in module.by_type[ast.Subscript]:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        if len(parts) < 2 or constant(parts[1]) != -1 or not isinstance(parts[0], ast.Slice):
            continue
        for call in outputs(module, node.value):
            for made in makers(module, call.func):
                if (
                    module.name(made.func) in LAYERS
                    and not is_open(made)
                    and constant(argument(made, 4, "batch_first")) in (None, False)
                ):
                    if argument(made, 4, "batch_first") is None and not turned(module, call):
                        yield wrong(
                            made, use=ast.unparse(node), layer=module.name(made.func).rsplit(".", 1)[-1]
                        )


def outputs(module, node):
    """The calls whose first result a name is: `out, _ = lstm(x)`."""
    if isinstance(node, ast.Subscript) and constant(node.slice) == 0 and isinstance(node.value, ast.Call):
        return [node.value]
    if not isinstance(node, ast.Name):
        return []
    return [
        each.value
        for each in module.bindings(node)[:1]
        if each.part == "item" and each.index == 0 and isinstance(each.value, ast.Call)
    ]


def turned(module, call):
    """Whether the input was put into the order of time first, or the output back."""
    text = " ".join(ast.unparse(value) for arg in call.args[:1] for value in module.values(arg))
    function = module.function(call)
    around = ast.unparse(function) if function else text
    return any(word in around for word in ("permute", "transpose", "swapaxes", "rearrange", ".t()"))
