"""A gradient that is read where it has just been cleared."""

import ast

from torchwhy.lint import patterns as p

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
    for loop, events in p.training_loops(module):
        marks = [
            (p.position(event.at), event.what)
            for event in events
            if event.what in ("zero_grad", "backward") and not event.sometimes
        ]
        if {what for _, what in marks} != {"zero_grad", "backward"}:
            continue
        for node in ast.walk(loop):
            if loop in module.loops(node) and reads(module, node):
                before = [what for at, what in marks if at < p.position(node)] or [marks[-1][1]]
                if before[-1] == "zero_grad":
                    yield p.wrong(node, read=p.text(node))


def reads(module, node):
    """Whether a node reads a gradient, or calls a function of the file that only does that."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        home, function = module.called(node) or (module, None)
        if function is None or p.methods_in(function, "backward", "zero_grad"):
            return False
        return any(is_read(home, each) for each in ast.walk(function))
    return is_read(module, node)


def is_read(module, node):
    if not (isinstance(node, ast.Attribute) and node.attr == "grad" and isinstance(node.ctx, ast.Load)):
        return False
    above = module.parent.get(node)
    touched = isinstance(above, ast.Attribute) and above.attr in ("zero_", "detach_", "data")
    compared = touched or isinstance(above, ast.Compare)
    return not (compared or module.name(node).startswith("torch.") or filtered(module, node))


def filtered(module, node):
    """Whether a comprehension asks first which gradients there are."""
    around = (above for above in module.above(node) if isinstance(above, ast.GeneratorExp | ast.ListComp))
    innermost = next(around, None)
    return innermost is not None and any(
        "is not None" in p.text(test) for each in innermost.generators for test in each.ifs
    )
