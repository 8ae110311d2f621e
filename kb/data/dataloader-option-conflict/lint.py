"""DataLoader options that exclude each other."""

from torchwhy.lint.patterns import LOADER, argument, constant, surely, wrong

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
        sized = constant(argument(call, 1, "batch_size")) not in (None, 1)
        for name in ("sampler", "batch_sampler"):
            if surely(module, argument(call, -1, name)):
                if shuffled:
                    yield wrong(call, first="shuffle=True", second=name)
                elif name == "batch_sampler" and sized:
                    yield wrong(call, first="batch_size", second=name)
