"""A scheduler whose length is counted in epochs and that is stepped for each batch, or the other way round."""

# the script has one loop, and its two lengths are arguments
import ast
import re
from functools import partial

from torchwhy.lint import patterns as p

SCHEDULERS = "torch.optim.lr_scheduler."
LENGTHS = {
    "CosineAnnealingLR": (1, "T_max"),
    "LinearLR": (3, "total_iters"),
    "PolynomialLR": (1, "total_iters"),
    "OneCycleLR": (2, "total_steps"),
    "StepLR": (1, "step_size"),
    "MultiStepLR": (1, "milestones"),
    "LambdaLR": (1, "lr_lambda"),
}
IN_BATCHES = re.compile(r"\*|len\(|step|iter|batch", re.I)
BATCH, EPOCH = ("batch", "批次"), ("epoch", "epoch")
BATCHES, EPOCHS = ("batches", "批次"), ("epochs", "epoch")

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
    for loop, its in p.training_loops(module):
        epochs = p.epochs_around(module, loop)
        if not isinstance(loop, ast.For) or p.counts_epochs(loop) or not epochs:
            continue  # it does not go through batches inside a loop over epochs
        inner = [event for event in its if event.what == "schedule"]
        outer = [event for event in p.events(module, epochs[0].body) if event.what == "schedule"]
        outer = [event for event in outer if loop not in event.module.loops(event.node)]
        if inner:
            number = p.number_of_epochs(module, epochs[0])
            mistaken = ((event, partial(in_epochs, number=number), BATCH, EPOCHS) for event in inner)
        else:
            mistaken = ((event, in_batches, EPOCH, BATCHES) for event in outer)
        for event, is_other, unit, counted in mistaken:
            length = length_of(event)
            if length is not None and not event.sometimes and is_other(event.module, length):
                shown = {"called": unit, "counted": counted}
                yield p.wrong(event.place(module), step=p.text(event.node), length=p.text(length), **shown)
                break


def length_of(event):
    """What the scheduler was told of its length; `steps_per_epoch` of OneCycleLR where that is given."""
    made = p.makers(event.module, event.node.func.value)
    made = [each for each in made if event.module.name(each.func).startswith(SCHEDULERS)]
    name = event.module.name(made[0].func).removeprefix(SCHEDULERS) if len(made) == 1 else ""
    if name not in LENGTHS:
        return None
    steps = p.argument(made[0], -1, "steps_per_epoch")
    return steps if steps is not None else p.argument(made[0], *LENGTHS[name])


def in_epochs(module, length, number):
    """Whether a length is surely a number of epochs: `args.epochs`, a name that stands for it, or literals
    of which the program has as many epochs.
    """
    if isinstance(length, ast.Lambda):
        return False  # its argument is often named epoch, whatever it counts
    for value in module.values(length):
        counts = [p.constant(each) for each in (getattr(value, "elts", None) or [value])]
        if number is not None and all(isinstance(each, int) and 1 < each <= number for each in counts):
            return True
    counts_batches = any(IN_BATCHES.search(ast.unparse(each)) for each in (length, *module.values(length)))
    return "epoch" in ast.unparse(length).lower() and not counts_batches


def in_batches(module, length):
    """Whether a length surely counts batches: it has `len(loader)` in it."""
    names = p.inside(length, ast.Name)
    values = (value for node in (length, *names) for value in module.values(node))
    texts = (ast.unparse(each) for each in (length, *values))
    return any(re.search(r"len\(\w*(load|dl)\w*\)", each, re.I) for each in texts)
