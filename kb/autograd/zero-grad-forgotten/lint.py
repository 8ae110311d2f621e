"""A loop that calls backward() and step(), and clears no gradient."""

import ast

from torchwhy.lint.events import around, training_loops
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{backward}` adds to the gradients of every earlier pass: nothing in this loop clears them",
    "zh": "`{backward}` 会累加到此前每一次的梯度上：这个循环里没有清零梯度",
}
FIX = {
    "en": "call `{optimizer}.zero_grad()` once per step, before the next backward()",
    "zh": "每次更新前调用一次 `{optimizer}.zero_grad()`，放在下一次 backward() 之前",
}
IN_REPRO = "loss.backward()"


def find(module):
    if module.is_test:  # a model is made anew in each pass, or its state is what is tested
        return
    for loop, events in training_loops(module):
        whats = {event.what for event in events}
        if "zero_grad" in whats or clears(loop) or helper_clears(module, loop):
            continue
        outer = around(module, loop)
        above = module.loops(loop)
        once_per_epoch = any(event.what == "zero_grad" for event in outer)
        if not once_per_epoch and any(clears(each) for each in above):
            continue
        stepped = next(event for event in events if event.what in ("step", "scale_step"))
        if once_per_epoch and (stepped.sometimes or not is_over_batches(module, loop)):
            continue
        for event in events:
            if event.what == "backward":
                yield wrong(
                    event.place(module),
                    backward=ast.unparse(event.node),
                    optimizer=stepped.on if stepped.what == "step" else "optimizer",
                )
                break
    yield from by_hand(module)


def by_hand(module):
    """`w -= lr * w.grad` in a loop with backward(), where nobody clears w.grad."""
    for call in module.methods("backward"):
        loops = module.loops(call)
        if not loops or clears(loops[0]) or any("zero" in each.func.attr for each in methods_in(loops[0])):
            continue
        if module.calls("torch.autograd.grad"):
            continue
        for node in ast.walk(loops[0]):
            if (
                isinstance(node, ast.AugAssign)
                and isinstance(node.op, ast.Sub)
                and isinstance(node.target, ast.Name | ast.Attribute)
            ):
                if any(
                    isinstance(each, ast.Attribute) and each.attr == "grad" for each in ast.walk(node.value)
                ):
                    yield wrong(call, backward=ast.unparse(call), optimizer="model")
                    break


def methods_in(tree):
    return [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]


def clears(tree):
    """Whether `x.grad = None`, `x.grad.zero_()` or another clearing call stands in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Attribute) and each.attr == "grad" for each in node.targets
        ):
            return True
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if "zero" in name or "clear" in name or "reset_grad" in name:
                return True
    return False


def helper_clears(module, loop):
    """Whether a function of the project that the loop calls clears gradients in its own way."""
    for node in ast.walk(loop):
        called = module.called(node) if isinstance(node, ast.Call) else None
        if called and clears(called[1]):
            return True
    return False


def is_over_batches(module, loop):
    import re

    return (
        isinstance(loop, ast.For)
        and re.search(r"load|batch|chunk|split|iter\b", ast.unparse(loop.iter)) is not None
    )
