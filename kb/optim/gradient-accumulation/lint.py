"""Gradients of several batches added up without dividing the loss by their number."""

# the script compares two scales of one loop without a step, which its source does not settle
import ast

from torchwhy.lint.events import training_loops
from torchwhy.lint.flow import loss_calls
from torchwhy.lint.module import argument, constant, position
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}` {problem}",
    "zh": "`{code}` {problem}",
}
FIX = {
    "en": "{remedy}",
    "zh": "{remedy}",
}
IN_REPRO = None


def find(module):
    for loop, events in training_loops(module):
        steps = [event for event in events if event.what in ("step", "scale_step")]
        backwards = [event for event in events if event.what == "backward" and event.node is event.at]
        clears = [event for event in events if event.what == "zero_grad"]
        thrown = cleared_between(module, loop, steps, backwards, clears)
        if thrown is not None:
            every = modulus(module, steps[0].at, loop)
            yield wrong(
                thrown.place(module),
                code=ast.unparse(thrown.node),
                problem=(
                    f"clears what was added up in every batch, and the step comes after {every} of them",
                    f"每个批次都清掉已累加的梯度，而每 {every} 个批次才更新一次",
                ),
                remedy=(
                    f"clear only behind the step, in the `if ... % {every}`",
                    f"只在更新之后清零，放进 `if ... % {every}`",
                ),
            )
            continue
        if not backwards or not all(event.sometimes for event in (*steps, *clears)) or backwards[0].sometimes:
            continue
        every = next((each for event in steps for each in [modulus(module, event.at, loop)] if each), None)
        if every is None or divided(module, loop, backwards[0].node, every) or gradients_scaled(loop):
            continue
        if summed(module, loop, backwards[0].node):
            continue
        yield wrong(
            backwards[0].place(module),
            code=ast.unparse(backwards[0].node),
            problem=(
                f"adds up the gradients of {every} batches, and the loss is not divided by {every}",
                f"累加了 {every} 个批次的梯度，而损失没有除以 {every}",
            ),
            remedy=(f"divide first: `(loss / {every}).backward()`", f"先相除：`(loss / {every}).backward()`"),
        )


def cleared_between(module, loop, steps, backwards, clears):
    """The zero_grad of every pass, where the steps of all optimizers wait for `(i + 1) % n == 0`."""
    if not steps or not backwards or not all(event.sometimes for event in steps) or backwards[0].sometimes:
        return None
    if {event.on for event in steps} and not all(waits(module, event.at, loop) for event in steps):
        return None
    return next((event for event in clears if not event.sometimes and event.node is event.at), None)


def waits(module, node, loop):
    """Whether the step's branch is `if (i + 1) % n == 0:`, with no other way to it."""
    for above in module.above(node):
        if above is loop:
            return False
        if isinstance(above, ast.If):
            return (
                isinstance(above.test, ast.Compare)
                and isinstance(above.test.ops[0], ast.Eq)
                and isinstance(above.test.left, ast.BinOp)
                and isinstance(above.test.left.op, ast.Mod)
                and constant(above.test.left.right) != 1
            )
    return False


def summed(module, loop, backward):
    """Whether the loss is a sum over samples: those of several batches add up to that of the large one."""
    inside = {id(node) for node in ast.walk(loop)}
    for _, call, made in loss_calls(module):
        if id(call) in inside and constant(argument(made, -1, "reduction")) == "sum":
            return True
    names = {each.id for each in ast.walk(backward) if isinstance(each, ast.Name)}
    return any(
        isinstance(node, ast.Assign)
        and names & {ast.unparse(target) for target in node.targets}
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "sum"
        for node in ast.walk(loop)
    )


def gradients_scaled(loop):
    """Whether the loop divides the gradients themselves: `scale_grads_(...)`, `p.grad.div_(n)`, `p.grad /= n`."""
    for node in ast.walk(loop):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if ("scale" in name or "normali" in name) and "grad" in name:
                return True
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            if name in ("div_", "mul_") and ast.unparse(owner).endswith(".grad"):
                return True
        if isinstance(node, ast.AugAssign) and ast.unparse(node.target).endswith((".grad", ".grad.data")):
            return True
    return False


def modulus(module, node, loop):
    """`n` of the `if (i + 1) % n == 0:` in which the step stands."""
    for above in module.above(node):
        if above is loop:
            return None
        if isinstance(above, ast.If):
            for test in ast.walk(above.test):
                if isinstance(test, ast.BinOp) and isinstance(test.op, ast.Mod) and constant(test.right) != 1:
                    return ast.unparse(test.right)
    return None


def divided(module, loop, backward, every):
    """Whether the loss is divided, or multiplied by a fraction, anywhere on its way through the loop."""
    if isinstance(backward.func.value, ast.BinOp) or any(scales(each) for each in ast.walk(backward)):
        return True
    names = {each.id for each in ast.walk(backward) if isinstance(each, ast.Name)}
    for node in ast.walk(loop):
        if (
            isinstance(node, ast.AugAssign)
            and isinstance(node.op, ast.Div | ast.Mult)
            and ast.unparse(node.target) in names
            and position(node) < position(backward)
        ):
            return True
        if isinstance(node, ast.Assign) and names & {
            ast.unparse(each) for target in node.targets for each in ast.walk(target)
        }:
            if any(scales(each) for each in ast.walk(node.value)) or every in ast.unparse(node.value):
                return True
            if any(module.called(each) for each in ast.walk(node.value) if isinstance(each, ast.Call)):
                called = [module.called(each) for each in ast.walk(node.value) if isinstance(each, ast.Call)]
                if any(scales(inner) for found in called if found for inner in ast.walk(found[1])):
                    return True
    return False


def scales(node):
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Div)
        or isinstance(node, ast.keyword)
        and "accum" in (node.arg or "")
    )
