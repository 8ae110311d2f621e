"""DataLoader options that exclude each other."""

import ast

from torchwhy.lint.kinds import LOADER
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{first}` and `{second}` exclude each other",
    "zh": "`{first}` 与 `{second}` 互斥",
}
FIX = {
    "en": "leave one of them out",
    "zh": "去掉其中一个",
}
IN_REPRO = "loader = DataLoader(dataset"


def find(module):
    for call in module.calls(LOADER):
        shuffled = constant(argument(call, 2, "shuffle")) is True
        for name in ("sampler", "batch_sampler"):
            given = argument(call, -1, name)
            if given is None or any(not is_object(value) for value in module.values(given)):
                continue
            if shuffled:
                yield wrong(call, first="shuffle=True", second=name)
            elif name == "batch_sampler" and constant(argument(call, 1, "batch_size")) not in (None, 1):
                yield wrong(call, first="batch_size", second=name)


def is_object(value):
    """Whether a value is surely an object and not None."""
    return isinstance(value, ast.Call)
