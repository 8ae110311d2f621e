"""A function gives a new tensor, its result is dropped, and the old one is used on."""

import ast

from torchwhy.lint import patterns as p

NEW = "flip roll clamp clip squeeze unsqueeze permute transpose reshape masked_fill where sort relu gelu normalize"
NEW += " softmax log_softmax sigmoid tanh dropout pad round nan_to_num cat interpolate index_fill scatter scatter_add"
NEW = (*NEW.split(), "masked_scatter", "fliplr", "flipud")
OF_TENSORS_ALONE = ("masked_fill", "masked_scatter", "scatter_add", "index_fill", "unsqueeze", "clamp")
ARITHMETIC = ast.Add | ast.Sub | ast.Mult | ast.Div

SAYS = {
    "en": "the result of `{code}` is dropped: `{name}` stays as it was",
    "zh": "`{code}` 的结果被丢弃：`{name}` 保持不变",
}
FIX = {
    "en": "assign it: `{name} = {code}`",
    "zh": "赋值：`{name} = {code}`",
}
IN_REPRO = "scores.masked_fill(hidden"


def find(module):
    for statement in module.of(ast.Expr):
        name = changed(module, statement.value)
        if name and is_used_on(module, statement, name) and not is_tried(module, statement):
            yield p.wrong(statement.value, code=p.text(statement.value, 60), name=name)


def changed(module, value):
    """The name of the tensor that the statement seems to change."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ARITHMETIC):
        return (
            value.left.id
            if isinstance(value.left, ast.Name) and p.kind(module, value.left) == "tensor"
            else ""
        )
    if not isinstance(value, ast.Call) or p.called(value) not in NEW:
        return ""
    if any(each.arg in ("inplace", "out") for each in value.keywords):
        return ""
    name, owner = module.name(value.func), value.args[0] if value.args else None
    if not name.startswith("torch."):
        owner = value.func.value if p.method(value) else None
        if p.kind(module, owner) != "tensor" and p.method(value) not in OF_TENSORS_ALONE:
            return ""
    return owner.id if isinstance(owner, ast.Name) else ""


def is_used_on(module, statement, name):
    """Whether the same function reads it behind the statement, outside of one like it."""
    scope = module.function(statement)
    reads = (each for each in p.inside(scope, ast.Name) if each.id == name) if scope else ()
    return any(isinstance(each.ctx, ast.Load) and each.lineno > statement.end_lineno for each in reads)


def is_tried(module, statement):
    """Whether the call is made for its time or its error."""
    return any(
        isinstance(each, ast.Try | ast.With)
        or (isinstance(each, ast.For) and p.text(each.target) == "_")
        or (isinstance(each, ast.FunctionDef) and each.name.startswith(("test", "bench")))
        for each in module.above(statement)
    )
