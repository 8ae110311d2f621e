"""One gradient per sample, computed in a Python loop over the samples."""

import ast

from torchwhy.lint.rule import wrong

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
            yield wrong(call, call=ast.unparse(call.func))
    for call in module.methods("backward"):
        loop = module.loops(call)[0] if module.loops(call) else None
        if isinstance(loop, ast.For) and collects(loop) and one_sample(loop):
            yield wrong(call, call=ast.unparse(call))


def of_losses(module, generator):
    """Whether what is walked over is a loss per element."""
    return isinstance(generator.target, ast.Name) and any(
        isinstance(value, ast.Call) and 'reduction="none"' in ast.unparse(value).replace("'", '"')
        for value in module.values(generator.iter)
    )


def collects(loop):
    """Whether each pass puts gradients into a list, and no optimizer steps."""
    kept = False
    for node in ast.walk(loop):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "step":
                return False
            if node.func.attr == "append" and node.args and ".grad" in ast.unparse(node.args[0]):
                text = ast.unparse(node.args[0])
                kept = kept or ".norm(" not in text and ".item(" not in text
    return kept


def one_sample(loop):
    """Whether a pass takes a single row: `x[i:i + 1]`, `unsqueeze(0)`, `x[None]`."""
    for node in ast.walk(loop):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "unsqueeze"
        ):
            return bool(node.args) and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
        if isinstance(node, ast.Subscript):
            part = node.slice
            if isinstance(part, ast.Constant) and part.value is None:
                return True
            if isinstance(part, ast.Slice) and part.lower is not None and part.upper is not None:
                if ast.unparse(part.upper) == f"{ast.unparse(part.lower)} + 1":
                    return True
    return False
