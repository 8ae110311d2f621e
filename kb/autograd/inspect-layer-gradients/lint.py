"""A gradient that is read where it has just been cleared."""

import ast

from torchwhy.lint.events import training_loops
from torchwhy.lint.module import position
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{read}` is read after zero_grad() and before backward(): there is no gradient there",
    "zh": "`{read}` 在 zero_grad() 之后、backward() 之前读取：此时没有梯度",
}
FIX = {
    "en": "read it between backward() and step()",
    "zh": "在 backward() 与 step() 之间读取",
}
IN_REPRO = "log.append(gradient_norm"


def find(module):
    for loop, events in training_loops(module):
        marks = [
            (position(event.at), event.what)
            for event in events
            if event.what in ("zero_grad", "backward") and not event.sometimes
        ]
        if {what for _, what in marks} != {"zero_grad", "backward"}:
            continue
        for node in ast.walk(loop):
            if loop in module.loops(node) and reads(module, node):
                before = [what for at, what in marks if at < position(node)] or [marks[-1][1]]
                if before[-1] == "zero_grad":
                    yield wrong(node, read=ast.unparse(node))


def reads(module, node):
    """Whether a node reads a gradient, or calls a function of the file that only does that."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        called = module.called(node)
        inside = list(ast.walk(called[1])) if called else []
        if any(
            isinstance(each, ast.Call)
            and isinstance(each.func, ast.Attribute)
            and each.func.attr in ("backward", "zero_grad")
            for each in inside
        ):
            return False
        return any(is_read(called[0], each) for each in inside)
    return is_read(module, node)


def is_read(module, node):
    if not (isinstance(node, ast.Attribute) and node.attr == "grad" and isinstance(node.ctx, ast.Load)):
        return False
    if module.name(node).startswith("torch."):
        return False
    above = module.parent.get(node)
    if isinstance(above, ast.Compare) or filtered(module, node):
        return False
    return not (isinstance(above, ast.Attribute) and above.attr in ("zero_", "detach_", "data"))


def filtered(module, node):
    """Whether a comprehension asks first which gradients there are."""
    for above in module.above(node):
        if isinstance(above, ast.GeneratorExp | ast.ListComp):
            return any("is not None" in ast.unparse(test) for each in above.generators for test in each.ifs)
    return False
