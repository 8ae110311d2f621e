"""One gradient per sample, computed in a Python loop over the samples."""

import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` runs once for each sample: one backward pass a sample",
    "zh": "`{call}` 对每个样本各执行一次：每个样本一次反向传播",
}
FIX = {
    "en": "one vectorised pass: `torch.func.vmap(torch.func.grad(loss_of_one), in_dims=(None, 0, 0))`",
    "zh": "一次向量化完成：`torch.func.vmap(torch.func.grad(loss_of_one), in_dims=(None, 0, 0))`",
}
IN_REPRO = "rows = [torch.autograd.grad(loss"


def find(module):
    for call in module.calls("torch.autograd.grad"):
        above = module.parent[call]
        if isinstance(above, ast.ListComp) and above.elt is call and of_losses(module, above.generators[0]):
            yield p.wrong(call, call=p.text(call.func))
    for call in module.methods("backward"):
        for loop in module.loops(call)[:1]:
            if isinstance(loop, ast.For) and collects(loop) and any(map(is_row, ast.walk(loop))):
                yield p.wrong(call, call=p.text(call))


def of_losses(module, generator):
    """Whether what is walked over is a loss per element."""
    return isinstance(generator.target, ast.Name) and any(
        "reduction='none'" in p.text(value) for value in p.values_by(module, generator.iter)
    )


def collects(loop):
    """Whether each pass puts gradients into a list, and no optimizer steps."""
    kept = [p.text(call.args[0]) for call in p.methods_in(loop, "append") if call.args]
    of_gradients = (
        each for each in kept if ".grad" in each and ".norm(" not in each and ".item(" not in each
    )
    return not p.methods_in(loop, "step") and any(of_gradients)


def is_row(node):
    """Whether it takes a single row: `x[i:i + 1]`, `unsqueeze(0)`, `x[None]`."""
    if isinstance(node, ast.Call):
        return p.text(node.func).endswith(".unsqueeze") and bool(node.args) and p.constant(node.args[0]) == 0
    part = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(part, ast.Slice):
        return part.lower is not None and p.text(part.upper) == f"{p.text(part.lower)} + 1"
    return isinstance(part, ast.Constant) and part.value is None
