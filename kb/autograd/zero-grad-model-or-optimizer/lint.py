"""The optimizer that steps is not the one whose gradients are cleared."""

import ast

from torchwhy.lint.events import around, training_loops
from torchwhy.lint.kinds import kind
from torchwhy.lint.module import position
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{cleared}.zero_grad()` does not clear what `{stepped}.step()` updates",
    "zh": "`{cleared}.zero_grad()` 没有清零 `{stepped}.step()` 所更新的参数的梯度",
}
FIX = {
    "en": "clear all that is trained: `model.zero_grad()`, or zero_grad() of each optimizer that steps",
    "zh": "清零所有被训练的参数：`model.zero_grad()`，或对每个执行 step 的优化器都调用 zero_grad()",
}
IN_REPRO = "clear()"


def find(module):
    for loop, events in training_loops(module):
        cleared = [event for event in around(module, loop) if event.what == "zero_grad"]
        owners = [owner_kind(event) for event in cleared]
        if not cleared or "" in owners:
            continue
        stepped = {
            event.on: event for event in events if event.what == "step" and owner_kind(event) == "optimizer"
        }
        if "module" not in owners:
            names = {event.on for event in cleared}
            for on, event in stepped.items():
                if on not in names and not aliased(module, event, cleared):
                    yield wrong(cleared[0].place(module), cleared=cleared[0].on, stepped=on)
            yield from joined_later(module, loop, cleared, names)
        elif set(owners) == {"module"}:
            yield from part_only(module, cleared, stepped)


def owner_kind(event):
    return kind(event.module, event.node.func.value)


def aliased(module, event, cleared):
    """Whether two names stand for the same optimizer."""
    own = {id(value) for value in event.module.values(event.node.func.value)}
    return any(own & {id(value) for value in each.module.values(each.node.func.value)} for each in cleared)


def joined_later(module, loop, cleared, names):
    """Parameters that join the optimizer in the loop, whose gradients it could not clear before."""
    for call in module.methods("add_param_group"):
        if loop in module.loops(call) and ast.unparse(call.func.value) in names:
            # what joins before zero_grad(), and that before backward(), is cleared with the rest
            clear = position(cleared[0].place(module))
            backs = [position(each) for each in module.methods("backward") if loop in module.loops(each)]
            in_time = position(call) < clear < min(backs, default=clear)
            if not in_time and "requires_grad" not in module.text:
                yield wrong(
                    cleared[0].place(module), cleared=cleared[0].on, stepped=ast.unparse(call.func.value)
                )


def part_only(module, cleared, stepped):
    """`model.head.zero_grad()` with an optimizer over all of model."""
    for event in cleared:
        whole, dot, _ = event.on.rpartition(".")
        if dot and whole != "self" and len(cleared) == 1:
            for on, step in stepped.items():
                for made in step.module.values(step.node.func.value):
                    if (
                        isinstance(made, ast.Call)
                        and made.args
                        and ast.unparse(made.args[0]) == f"{whole}.parameters()"
                    ):
                        yield wrong(event.place(module), cleared=event.on, stepped=on)
