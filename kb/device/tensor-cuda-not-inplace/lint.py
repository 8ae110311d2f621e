"""`x.cuda()` or `x.to(device)` of a tensor, whose result is dropped."""

import ast

from torchwhy.lint import patterns as p

METHODS = ("to", "cuda", "cpu", "float", "half", "double", "long", "detach")

SAYS = {
    "en": "the result of `{call}` is dropped: a tensor's {method}() changes nothing in place",
    "zh": "`{call}` 的结果被丢弃：张量的 {method}() 不会就地改变它",
}
FIX = {
    "en": "assign it: `{owner} = {call}`",
    "zh": "赋值：`{owner} = {call}`",
}
IN_REPRO = "batch.to(device)"


def find(module):
    for call in module.methods(*METHODS):
        owner = call.func.value
        if not isinstance(module.parent[call], ast.Expr) or p.kind(module, owner) != "tensor":
            continue
        if is_mapping(module, owner) or set_to_another(module, owner) or is_displayed(module, call):
            continue
        start = p.position(call)
        fix = p.edit(module, start, start, f"{p.text(owner)} = ") if isinstance(owner, ast.Name) else None
        yield p.wrong(call, fix, call=p.text(call), method=call.func.attr, owner=p.text(owner))


def is_displayed(module, call):
    """Whether a notebook's cell ends in it, and so shows it: not where it would place the tensor."""
    statement = module.parent[call]
    at_top = module.parent.get(statement) is module.tree
    return at_top and module.ends_cell(statement) and call.func.attr not in ("to", "cuda")


def set_to_another(module, owner):
    """Whether the function gave an attribute such as `layer.weight` an object of another library before."""
    return isinstance(owner, ast.Attribute) and any(
        p.text(each.targets[0]) == p.text(owner) and p.kind(module, each.value) != "tensor"
        for each in p.inside(module.scope(owner), ast.Assign)
    )


def is_mapping(module, owner):
    """Whether the same scope uses it as a mapping (`**batch`, `batch["labels"]`), such as the batch of a
    tokenizer, whose to() does change it in place.
    """
    return any(
        p.text(node.value) == p.text(owner)
        and (
            (isinstance(node, ast.keyword) and node.arg is None)
            or (isinstance(node, ast.Subscript) and isinstance(p.constant(node.slice), str))
            or (isinstance(node, ast.Attribute) and node.attr in ("items", "keys", "input_ids"))
        )
        for node in p.inside(module.scope(owner), ast.keyword, ast.Subscript, ast.Attribute)
    )
