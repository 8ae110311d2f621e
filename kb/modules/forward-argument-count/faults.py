import re

MODELS = (
    "model",
    "net",
    "tagger",
    "own",
    "cross",
    "encoder",
    "decoder",
    "G",
    "D",
    "policy",
    "trunk",
    "teacher",
)
TARGETS = (
    "target",
    "y",
    "wanted",
    "classes",
    "kinds",
    "star",
    "masks",
    "tags",
    "ones",
    "memory",
    "reward",
    "x",
)


# Layers that take a mask too, in a Sequential.
STACK = """class Masked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(3, 3)

    def forward(self, x, mask):
        return self.inner(x) * mask


class Stack(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential({layers})

    def forward(self, x, mask):
        {call}


assert Stack()(torch.ones(2, 3), torch.zeros(2, 1)).abs().sum() == 0
"""
STACKS = (
    STACK.format(layers="*[Masked() for _ in range(3)]", call="x = self.layers(x, mask)\n        return x"),
    STACK.format(layers="Masked(), Masked()", call="return self.layers(x, mask)"),
    STACK.format(layers="Masked(), Masked()", call="out = self.layers(x, mask=mask)\n        return out"),
)


def faults(host):
    for text in STACKS:
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("def forward(self, ", "def forward(")
    for loss in ("criterion", "loss_fn", "bce"):
        yield from host.without_argument(loss, 1)
        yield from host.with_argument(loss, 1, "target={}, mask=None")
        yield from host.with_keyword(loss, 'reduction="mean"')
    for model in MODELS:
        for target in TARGETS:
            if re.search(
                rf"(?m)^    *for .*\b{target} in |^for .*\b{target} in |^ +.*\b{target}\b.* = ", host.text
            ):
                yield from host.with_argument(model, 0, "{}, " + target)
        yield from host.with_argument(model, 0, "")
        yield from host.without_argument(model, 1)
        yield from host.with_argument(model, 0, "input={}")
        yield from host.with_argument(model, 0, "{}, None")
        yield from host.with_argument(model, 1, "mask={}")
