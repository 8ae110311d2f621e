"""DataLoader options that exclude each other."""

from torchwhy.lint import patterns as p

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
    for call in module.calls(p.LOADER):
        shuffled = p.constant(p.argument(call, 2, "shuffle")) is True
        sized = p.constant(p.argument(call, 1, "batch_size")) not in (None, 1)
        for name in ("sampler", "batch_sampler"):
            if p.surely(module, p.argument(call, -1, name)):
                if shuffled:
                    yield p.wrong(call, first="shuffle=True", second=name)
                elif name == "batch_sampler" and sized:
                    yield p.wrong(call, first="batch_size", second=name)
