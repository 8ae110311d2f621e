"""A loop that calls backward() and step(), and clears no gradient."""

import ast
import re

from torchwhy.lint import patterns as p

ADDS = (
    "adds to the gradients of every earlier pass: nothing in this loop clears them",
    "会累加到此前每一次的梯度上：这个循环里没有清零梯度",
)
THROWS = (
    "clears the gradients that backward() has just made, before `{step}` could use them",
    "在 `{step}` 用到梯度之前，就清零了 backward() 刚算出的梯度",
)
EARLY = (
    "steps between zero_grad() and backward(): it never has a gradient to use",
    "位于 zero_grad() 与 backward() 之间：从来没有梯度可用",
)
CLEARING = re.compile(r"zero|clear|reset_grad|grads?_none")
IN_REPRO = "loss.backward()"


def find(module):
    if module.is_test:  # a model is made anew in each pass, or its state is what is tested
        return
    for loop, events in p.training_loops(module):
        if (
            any(event.what == "zero_grad" for event in events)
            or clears(loop)
            or helper_clears(module, loop, events)
        ):
            continue
        once_per_epoch = any(event.what == "zero_grad" for event in p.around(module, loop))
        if not once_per_epoch and any(map(clears, module.loops(loop))):
            continue
        stepped = next(event for event in events if event.what in ("step", "scale_step"))
        if once_per_epoch and (stepped.sometimes or not is_over_batches(loop)):
            continue
        backward = next(event for event in events if event.what == "backward")
        optimizer = stepped.on if stepped.what == "step" else "optimizer"
        yield added(backward.place(module), backward.node, optimizer)
    yield from by_hand(module)
    for its in passes(module) if "zero_grad" in module.text else ():
        yield from out_of_order(module, its)


def added(place, backward, optimizer):
    fix = (
        f"call `{optimizer}.zero_grad()` once per step, before the next backward()",
        f"每次更新前调用一次 `{optimizer}.zero_grad()`，放在下一次 backward() 之前",
    )
    return p.wrong(place, code=p.text(backward), says=ADDS, fix=fix)


def passes(module):
    """The events of each training loop, and of each function that trains by one step."""
    yield from (its for _, its in p.training_loops(module))
    for function in module.of(ast.FunctionDef):
        if not any(p.inside(function, ast.For, ast.While)):
            yield p.events(module, function.body, 0)


def out_of_order(module, its):
    """zero_grad() behind backward() or step() in front of it, so that no step has a gradient."""
    its = [each for each in its if each.what in ("zero_grad", "backward", "step", "scale_step")]
    for at, event in enumerate(its):
        before = [each for each in its[:at] if not each.sometimes or each.what == "backward"]
        if event.what not in ("step", "scale_step") or event.sometimes or not before or event.node.keywords:
            continue
        last, stepped = before[-1], of_optimizer(event)
        if last.what != "zero_grad" or not same(last, stepped, its):
            continue
        thrown = any(each.what == "backward" for each in before)
        if thrown or any(each.what == "backward" for each in its[at:]):
            step, cleared = p.text(event.node), p.text(last.node)
            says = tuple(each.format(step=step) for each in (THROWS if thrown else EARLY))
            fix = (
                f"in this order: `{cleared}`, backward(), `{step}`",
                f"按此顺序：`{cleared}`、backward()、`{step}`",
            )
            mistaken = last if thrown else event
            yield p.wrong(mistaken.place(module), code=p.text(mistaken.node), says=says, fix=fix)


def of_optimizer(event):
    """The optimizer that a step is of, also behind a scaler: `scaler.step(optimizer)`."""
    if event.what == "scale_step" and event.node.args:
        return p.text(event.node.args[0])
    return "" if event.node.args else event.on


def same(cleared, stepped, its):
    """Whether what was cleared is what steps: by its name, or a model where only one optimizer steps."""
    if cleared.on == stepped:
        return True
    steps = {each.on for each in its if each.what in ("step", "scale_step")}
    return bool(stepped) and len(steps) == 1 and p.kind(cleared.module, cleared.node.func.value) == "module"


def by_hand(module):
    """`w -= lr * w.grad` in a loop with backward(), where nobody clears w.grad."""
    for call in module.methods("backward") if not module.calls("torch.autograd.grad") else ():
        for loop in module.loops(call)[:1]:
            if not clears(loop) and any(map(updates, ast.walk(loop))):
                yield added(call, call, "model")


def updates(node):
    """Whether it is `w -= lr * w.grad`."""
    if not isinstance(node, ast.AugAssign) or not isinstance(node.op, ast.Sub):
        return False
    return isinstance(node.target, ast.Name | ast.Attribute) and bool(p.attributes_in(node.value, "grad"))


def clears(tree):
    """Whether `x.grad = None`, `x.grad.zero_()` or another clearing call stands in it."""
    if any(CLEARING.search(p.called(each)) for each in p.inside(tree, ast.Call)):
        return True
    targets = (target for each in p.inside(tree, ast.Assign) for target in each.targets)
    return any(isinstance(each, ast.Attribute) and each.attr == "grad" for each in targets)


def helper_clears(module, loop, events):
    """Whether a function of the project that the loop runs clears gradients in its own way."""
    called = [found[1] for node in p.inside(loop, ast.Call) if (found := module.called(node))]
    called += [each.module.function(each.node) for each in events if each.node is not each.at]
    return any(map(clears, called))


def is_over_batches(loop):
    return isinstance(loop, ast.For) and bool(re.search(r"load|batch|chunk|split|iter\b", p.text(loop.iter)))
