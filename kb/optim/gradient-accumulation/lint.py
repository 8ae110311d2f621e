"""Gradients of several batches added up without dividing the loss by their number."""

# the script compares two scales of one loop without a step, which its source does not settle
import ast

from torchwhy.lint import patterns as p

IN_REPRO = None


def find(module):
    for loop, its in p.training_loops(module):
        steps = [event for event in its if event.what in ("step", "scale_step")]
        backwards = [event for event in its if event.what == "backward" and event.node is event.at]
        clears = [event for event in its if event.what == "zero_grad"]
        counts = [count_of(module, event, loop) for event in steps]
        every = next(filter(None, counts), "")
        if not backwards or backwards[0].sometimes or not all(event.sometimes for event in steps):
            continue
        thrown = next((each for each in clears if not each.sometimes and each.node is each.at), None)
        if thrown is not None and all(only_then(module, event, loop) for event in steps):
            yield p.wrong(
                thrown.place(module),
                code=p.text(thrown.node),
                says=(
                    f"clears what was added up in every batch, and the step comes after {every} of them",
                    f"每个批次都清掉已累加的梯度，而每 {every} 个批次才更新一次",
                ),
                fix=(
                    f"clear only behind the step, in the `if ... % {every}`",
                    f"只在更新之后清零，放进 `if ... % {every}`",
                ),
            )
        elif every and all(event.sometimes for event in clears):
            backward = backwards[0]
            divides = divided(module, loop, backward.node, every) or gradients_scaled(loop)
            if not divides and not summed(module, loop, backward.node):
                yield p.wrong(
                    backward.place(module),
                    code=p.text(backward.node),
                    says=(
                        f"adds up the gradients of {every} batches, and the loss is not divided by {every}",
                        f"累加了 {every} 个批次的梯度，而损失没有除以 {every}",
                    ),
                    fix=(
                        f"divide first: `(loss / {every}).backward()`",
                        f"先相除：`(loss / {every}).backward()`",
                    ),
                )


def count_of(module, event, loop):
    """`n` of the `if (i + 1) % n == 0:` in which the step stands."""
    tests = (
        test for branch in p.conditions(module, event.at, loop) for test in p.inside(branch.test, ast.BinOp)
    )
    return next((p.text(each.right) for each in tests if is_modulus(each)), "")


def only_then(module, event, loop):
    """Whether the step's branch is `if (i + 1) % n == 0:`, with no other way to it."""
    test = next((branch.test for branch in p.conditions(module, event.at, loop)), None)
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq) and is_modulus(test.left)


def is_modulus(node):
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and p.constant(node.right) != 1


def summed(module, loop, backward):
    """Whether the loss is a sum over samples: those of several batches add up to that of the large one."""
    of_loop = set(p.inside(loop, ast.Call))
    return any(
        call in of_loop and p.constant(p.argument(made, -1, "reduction")) == "sum"
        for _, call, made in p.loss_calls(module)
    ) or any(p.method(value) == "sum" for value in values_on_the_way(loop, backward))


def values_on_the_way(loop, backward):
    """What the loop assigns to the names of a backward()."""
    names = p.names_in(backward)
    for node in p.inside(loop, ast.Assign):
        if names & {p.text(each) for target in node.targets for each in ast.walk(target)}:
            yield node.value


def gradients_scaled(loop):
    """Whether the loop divides the gradients themselves: `scale_grads_(...)`, `p.grad.div_(n)`, `p.grad /= n`."""
    for call in p.inside(loop, ast.Call):
        name = p.called(call)
        if ("scale" in name or "normali" in name) and "grad" in name:
            return True
        if p.method(call) in ("div_", "mul_") and p.text(call.func.value).endswith(".grad"):
            return True
    changed = (p.text(each.target) for each in p.inside(loop, ast.AugAssign))
    return any(each.endswith((".grad", ".grad.data")) for each in changed)


def divided(module, loop, backward, every):
    """Whether the loss is divided, or multiplied by a fraction, anywhere on its way through the loop."""
    if isinstance(backward.func.value, ast.BinOp) or any(scales(each) for each in ast.walk(backward)):
        return True
    changes = (each for each in p.inside(loop, ast.AugAssign) if isinstance(each.op, ast.Div | ast.Mult))
    names = p.names_in(backward)
    if any(p.text(each.target) in names and p.position(each) < p.position(backward) for each in changes):
        return True
    for value in values_on_the_way(loop, backward):
        helpers = [module.called(each) for each in p.inside(value, ast.Call)]
        parts = [value, *(found[1] for found in helpers if found is not None)]
        if every in p.text(value) or any(scales(each) for part in parts for each in ast.walk(part)):
            return True
    return False


def scales(node):
    if isinstance(node, ast.keyword):
        return "accum" in (node.arg or "")
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
