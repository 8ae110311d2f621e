"""A loader whose batch is the whole data set."""

import ast

from torchwhy.lint.kinds import LOADER
from torchwhy.lint.module import argument
from torchwhy.lint.rule import look

SAYS = {
    "en": "`batch_size={size}` sends all of `{data}` through the network at once, with its activations",
    "zh": "`batch_size={size}` 会让整个 `{data}` 一次通过网络，连同所有激活值",
}
FIX = {
    "en": "take batches of a fixed size, 32 to 256 samples",
    "zh": "使用固定大小的批次，32 到 256 个样本",
}
IN_REPRO = None


def find(module):
    for call in module.calls(LOADER):
        data, size = argument(call, 0, "dataset"), argument(call, 1, "batch_size")
        if data is None or size is None:
            continue
        for value in module.values(size):
            if (
                isinstance(value, ast.Call)
                and module.name(value.func) == "builtins.len"
                and value.args
                and ast.unparse(value.args[0]) == ast.unparse(data)
            ):
                yield look(call, size=ast.unparse(size), data=ast.unparse(data))
