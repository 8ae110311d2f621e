"""A running total or a list of losses that keeps the graph of every step."""

import ast

from torchwhy.lint import patterns as p

CUTTING = ("detach", "item", "clone", "cpu", "numpy", "tolist")
LISTS = ("builtins.list", "collections.deque", "")

SAYS = {
    "en": "`{kept}` keeps the graph of every step: `{loss}` is a tensor with history",
    "zh": "`{kept}` 会保留每一步的计算图：`{loss}` 是带有历史的张量",
}
FIX = {
    "en": "keep the number: `{loss}.item()`, or `{loss}.detach()`",
    "zh": "只保留数值：`{loss}.item()` 或 `{loss}.detach()`",
}
IN_REPRO = "total_loss += number_of(loss)"


def find(module):
    for call in module.methods("backward"):
        loss, loops = root(call.func.value), module.loops(call)
        if loss is None or not loops or p.without_gradients(module, call) or is_within_step(module, loops):
            continue
        for node in ast.walk(loops[0]):
            target, value = keeps(module, node, loss.id) or (None, None)
            if target is None or not p.same_pass(module, node, call) or p.without_gradients(module, node):
                continue
            if not outlives(module, target, loops[0], node) or begins_anew(target, loops[0], node):
                continue
            if reaches_backward(module, target, node) or cut_before(module, call, value):
                continue
            statement, behind = module.statement(node), p.end(value)
            yield p.wrong(
                statement, p.edit(module, behind, behind, ".item()"), kept=p.text(statement, 80), loss=loss.id
            )


def is_within_step(module, loops):
    """Whether the passes of the innermost loop are parts of one step, which comes behind it."""
    inner, *around = [[each.what for each in p.events(module, loop.body)] for loop in loops[:2]]
    return "step" not in inner and any("step" in each for each in around)


def cut_before(module, call, value):
    """Whether the name stands for something without history there: `loss = loss.detach()` behind backward."""
    bindings = (each for each in module.bindings(value) if p.method(each.value) in CUTTING)
    cuts = (each.node for each in bindings if p.attributes_in(each.value, "detach", "item"))
    return any(p.position(call) < p.position(each) < p.position(value) for each in cuts)


def root(node):
    """`scaler.scale(loss / n)` -> loss."""
    if isinstance(node, ast.Call) and node.args:
        return root(node.args[0])
    if isinstance(node, ast.BinOp):
        return root(node.left)
    return node if isinstance(node, ast.Name) else None


def keeps(module, node, loss):
    """(what keeps it, the loss there) of `total += loss`, `total = total + loss`, `losses.append(loss)`."""
    target = given = None
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        target, given = node.target, node.value
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
        if isinstance(node.value.op, ast.Add) and p.text(node.value.left) == p.text(node.targets[0]):
            target, given = node.targets[0], node.value.right
    elif p.method(node) == "append" and len(node.args) == 1 and not node.keywords:
        made = p.values_by(module, node.func.value)  # append() may be that of a running average
        if all(module.name(each.func) in LISTS for each in made):
            target, given = node.func.value, node.args[0]
    value = bare(given, loss)
    return (target, value) if value is not None else None


def bare(node, loss):
    """The loss where a value is it, or it times or divided by something; None where it is a number of it."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        left = bare(node.left, loss)
        return left if left is not None else bare(node.right, loss)
    return node if isinstance(node, ast.Name) and node.id == loss else None


def outlives(module, target, loop, node):
    """Whether the target is made outside of the loop, so that it lives from one pass to the next."""
    if isinstance(target, ast.Subscript):
        target = target.value
    if not isinstance(target, ast.Name):
        return isinstance(target, ast.Attribute)
    statement = module.statement(node)
    bound = [each.node for each in module.bindings(target) if module.statement(each.node) is not statement]
    return bool(bound) and not any(loop in module.above(each) for each in bound)


def begins_anew(target, loop, node):
    """Whether the loop itself sets the total back, so that it holds the graphs of a few steps only."""
    name = p.text(target)
    if any(p.text(call.func.value) == name for call in p.methods_in(loop, "clear")):
        return True
    return any(
        name in map(p.text, each.targets) and name not in map(p.text, ast.walk(each.value))
        for each in p.inside(loop, ast.Assign)
        if each is not node
    )


def reaches_backward(module, target, node):
    """Whether the total itself is what is optimised, or is detached in each pass."""
    name, function = p.text(target), module.function(node)
    for call in module.methods("backward", "detach_"):
        if module.function(call) is function and name in map(p.text, ast.walk(call.func.value)):
            return True
    return any(
        call.args and p.text(call.args[0]) == name and p.text(module.parent.get(call)).endswith(").backward")
        for call in module.calls("torch.stack", "builtins.sum", "torch.cat")
    )
