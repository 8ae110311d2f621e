"""A scheduler whose length is counted in epochs and that is stepped for each batch, or the other way round."""

# the script has one loop, and its two lengths are arguments
import ast
import re

from torchwhy.lint.events import events, training_loops
from torchwhy.lint.kinds import makers
from torchwhy.lint.module import argument
from torchwhy.lint.rule import wrong

SCHEDULERS = "torch.optim.lr_scheduler."
LENGTHS = {
    "CosineAnnealingLR": (1, "T_max"),
    "LinearLR": (3, "total_iters"),
    "PolynomialLR": (1, "total_iters"),
    "OneCycleLR": (2, "total_steps"),
}
IN_BATCHES = re.compile(r"\*|len\(|step|iter|batch", re.I)

SAYS = {
    "en": "`{step}` is called once per {called}, and the length of the schedule, `{length}`, counts {counted}",
    "zh": "`{step}` 每个 {called} 调用一次，而调度的长度 `{length}` 按 {counted} 计",
}
FIX = {
    "en": "count both alike: step it behind the loop over batches, or make it for epochs * len(loader) steps",
    "zh": "两者用同一单位：在批次循环之后调用，或创建时给 epochs * len(loader) 步",
}
IN_REPRO = None


def find(module):
    for loop, its in training_loops(module):
        inner = [event for event in its if event.what == "schedule"]
        for event in inner:
            length = length_of(event)
            if event.sometimes or length is None or not over_batches(module, loop):
                continue
            if in_epochs(event.module, length):
                yield said(module, event, length, ("batch", "批次"), ("epochs", "epoch"))
                break
        if inner or not over_batches(module, loop):
            continue
        for event in [
            each for outer in epochs_around(module, loop)[:1] for each in events(module, outer.body)
        ]:
            if event.what != "schedule" or event.sometimes:
                continue
            if any(each is loop for each in event.module.loops(event.node)):
                continue
            length = length_of(event)
            if length is not None and in_batches(event.module, length):
                yield said(module, event, length, ("epoch", "epoch"), ("batches", "批次"))
                break


def said(module, event, length, called, counted):
    place = event.place(module)
    return wrong(
        place, step=ast.unparse(event.node), length=ast.unparse(length), called=called, counted=counted
    )


def length_of(event):
    """What the scheduler was told of its length; `steps_per_epoch` of OneCycleLR where that is given."""
    made = [
        each
        for each in makers(event.module, event.node.func.value)
        if event.module.name(each.func).startswith(SCHEDULERS)
    ]
    if len(made) != 1:
        return None
    name = event.module.name(made[0].func).removeprefix(SCHEDULERS)
    if name not in LENGTHS:
        return None
    steps = argument(made[0], -1, "steps_per_epoch")
    return steps if steps is not None else argument(made[0], *LENGTHS[name])


def in_epochs(module, length):
    """Whether a length is surely a number of epochs: `args.epochs`, or a name that stands for it."""
    texts = [ast.unparse(length), *(ast.unparse(value) for value in module.values(length))]
    return "epoch" in texts[0].lower() and not any(IN_BATCHES.search(text) for text in texts)


def in_batches(module, length):
    """Whether a length surely counts batches: it has `len(loader)` in it."""
    texts = [ast.unparse(length), *(ast.unparse(value) for value in module.values(length))]
    return any(re.search(r"len\(\w*(load|dl)\w*\)", text, re.I) for text in texts)


def over_batches(module, loop):
    """Whether the loop goes through batches inside one over epochs, here or where its function is called."""
    return is_for(loop) and not counts_epochs(loop) and bool(epochs_around(module, loop))


def epochs_around(module, loop):
    """The loops over epochs around a loop, or around the calls of its function."""
    function = module.function(loop)
    calls = module.calls_of(function) if function else []
    return [
        each for node in (loop, *calls) for each in module.loops(node) if is_for(each) and counts_epochs(each)
    ]


def is_for(loop):
    return isinstance(loop, ast.For)


def counts_epochs(loop):
    return "epoch" in (ast.unparse(loop.target) + ast.unparse(loop.iter)).lower()
