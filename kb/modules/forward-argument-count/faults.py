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


def faults(host):
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
