"""The optimizer that steps is not the one whose gradients are cleared."""

from torchwhy.lint import patterns as p

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
    for loop, events in p.training_loops(module):
        cleared = [event for event in p.around(module, loop) if event.what == "zero_grad"]
        owners = {owner_kind(event) for event in cleared}
        if not cleared or "" in owners:
            continue
        steps = (event for event in events if event.what == "step" and owner_kind(event) == "optimizer")
        stepped = {event.on: event for event in steps}
        place, names = cleared[0].place(module), {event.on for event in cleared}
        if "module" not in owners:
            for on, event in stepped.items():
                if on not in names and not any(objects(event) & objects(each) for each in cleared):
                    yield p.wrong(place, cleared=cleared[0].on, stepped=on)
            for call in joined_later(module, loop, place):
                if p.text(call.func.value) in names:
                    yield p.wrong(place, cleared=cleared[0].on, stepped=p.text(call.func.value))
        elif owners == {"module"} and len(cleared) == 1:
            yield from part_only(module, cleared[0], stepped)


def owner_kind(event):
    return p.kind(event.module, event.node.func.value)


def objects(event):
    """What the owner of a call may stand for: two names may be of one optimizer."""
    return set(event.module.values(event.node.func.value))


def joined_later(module, loop, clear):
    """Parameters that join an optimizer in the loop; what joins before zero_grad(), and that before backward(),
    is cleared with the rest.
    """
    backs = [p.position(each) for each in module.methods("backward") if loop in module.loops(each)]
    for call in module.methods("add_param_group") if "requires_grad" not in module.text else ():
        in_time = p.position(call) < p.position(clear) < min(backs, default=p.position(clear))
        if loop in module.loops(call) and not in_time:
            yield call


def part_only(module, cleared, stepped):
    """`model.head.zero_grad()` with an optimizer over all of model."""
    whole, dot, _ = cleared.on.rpartition(".")
    for on, step in stepped.items() if dot and whole != "self" else ():
        for made in p.values_by(step.module, step.node.func.value):
            if made.args and p.text(made.args[0]) == f"{whole}.parameters()":
                yield p.wrong(cleared.place(module), cleared=cleared.on, stepped=on)
