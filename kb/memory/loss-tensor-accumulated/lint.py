"""A running total or a list of losses that keeps the graph of every step."""

import ast

from torchwhy.lint.context import without_gradients
from torchwhy.lint.module import end, position
from torchwhy.lint.rule import Edit, wrong

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
        loss = root(call.func.value)
        if not isinstance(loss, ast.Name) or not module.loops(call) or without_gradients(module, call):
            continue
        loop = module.loops(call)[0]
        for node in ast.walk(loop):
            kept = keeps(module, node, loss.id)
            if kept is None or module.function(node) is not module.function(call):
                continue
            target, value = kept
            if (
                loop not in module.loops(node)
                or module.loops(node)[0] is not loop
                or not outlives(module, target, loop, node)
            ):
                continue
            if reaches_backward(module, target, node) or cut_before(module, call, value):
                continue
            if without_gradients(module, node) or begins_anew(target, loop, node):
                continue
            yield wrong(
                module.statement(node),
                edit(module, value),
                kept=ast.unparse(module.statement(node)).split("\n")[0][:80],
                loss=loss.id,
            )


def cut_before(module, call, value):
    """Whether the name stands for something without history there: `loss = loss.detach()` behind backward."""
    for binding in module.bindings(value):
        cut = binding.value
        if (
            isinstance(cut, ast.Call)
            and isinstance(cut.func, ast.Attribute)
            and cut.func.attr in ("detach", "item", "clone", "cpu", "numpy", "tolist")
            and any(
                isinstance(each, ast.Attribute) and each.attr in ("detach", "item") for each in ast.walk(cut)
            )
            and position(call) < position(binding.node) < position(value)
        ):
            return True
    return False


def root(node):
    """`scaler.scale(loss / n)` -> loss."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Call) and node.args:
            node = node.args[0]
        elif isinstance(node, ast.BinOp):
            node = node.left
        else:
            return None
    return node


def keeps(module, node, loss):
    """(what keeps it, the loss there) of `total += loss`, `total = total + loss`, `losses.append(loss)`."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        value = bare(node.value, loss)
        return (node.target, value) if value is not None else None
    if (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.BinOp)
        and isinstance(node.value.op, ast.Add)
    ):
        value = bare(node.value.right, loss)
        same = ast.unparse(node.value.left) == ast.unparse(node.targets[0])
        return (node.targets[0], value) if value is not None and same else None
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and len(node.args) == 1
        and not node.keywords
        and is_list(module, node.func.value)
    ):
        value = bare(node.args[0], loss)
        return (node.func.value, value) if value is not None else None
    return None


def is_list(module, owner):
    """Whether the text does not say that append() is that of another object, such as a running average."""
    return not any(
        isinstance(value, ast.Call)
        and module.name(value.func) not in ("builtins.list", "collections.deque", "")
        for value in module.values(owner)
    )


def bare(node, loss):
    """The loss where a value is it, or it times or divided by something; None where it is a number of it."""
    if isinstance(node, ast.Name):
        return node if node.id == loss else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        return bare(node.left, loss) if bare(node.left, loss) is not None else bare(node.right, loss)
    return None


def outlives(module, target, loop, node):
    """Whether the target is made outside of the loop, so that it lives from one pass to the next."""
    if isinstance(target, ast.Subscript):
        target = target.value
    if not isinstance(target, ast.Name):
        return isinstance(target, ast.Attribute)
    bound = [
        each for each in module.bindings(target) if module.statement(each.node) is not module.statement(node)
    ]
    return bool(bound) and not any(any(above is loop for above in module.above(each.node)) for each in bound)


def begins_anew(target, loop, node):
    """Whether the loop itself sets the total back, so that it holds the graphs of a few steps only."""
    name = ast.unparse(target)
    return any(
        isinstance(each, ast.Assign)
        and each is not node
        and name in {ast.unparse(target) for target in each.targets}
        and name not in {ast.unparse(inner) for inner in ast.walk(each.value)}
        for each in ast.walk(loop)
    )


def reaches_backward(module, target, node):
    """Whether the total itself is what is optimised, or is detached in each pass."""
    name = ast.unparse(target)
    function = module.function(node)
    for call in module.methods("backward", "detach_"):
        if module.function(call) is function and name in {
            ast.unparse(each) for each in ast.walk(call.func.value)
        }:
            return True
    for call in module.calls("torch.stack", "builtins.sum", "torch.cat"):
        above = module.parent.get(call)
        if (
            call.args
            and ast.unparse(call.args[0]) == name
            and isinstance(above, ast.Attribute)
            and above.attr == "backward"
        ):
            return True
    return False


def edit(module, value):
    """`.item()` behind the loss."""
    line, column = end(value)
    return (
        Edit(line, column, column, ".item()")
        if module.lines[line - 1].isascii() and position(value)[0] == line
        else None
    )
