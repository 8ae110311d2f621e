"""The last step taken from the second axis of a recurrent layer that was not told batch_first."""

# the script compares two samples, and takes no last step
import ast

from torchwhy.lint import patterns as p

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
    for node, call in p.last_steps(module):
        for made in p.makers(module, call.func):
            told = p.argument(made, 4, "batch_first") is not None or p.is_open(made)
            if module.name(made.func) in p.RECURRENT and not told and not turned(module, call):
                yield p.wrong(made, use=p.text(node), layer=module.name(made.func).rsplit(".", 1)[-1])


def turned(module, call):
    """Whether the input was put into the order of time first, or the output back."""
    function = module.function(call)
    around = [function] if function else [value for arg in call.args[:1] for value in module.values(arg)]
    turns = ("permute", "transpose", "swapaxes", "rearrange", ".t()")
    return any(word in ast.unparse(each) for each in around for word in turns)
