"""`x.cuda()` or `x.to(device)` of a tensor, whose result is dropped."""

import ast

from torchwhy.lint.kinds import kind
from torchwhy.lint.rule import Edit, wrong

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
        statement = module.parent[call]
        if (
            isinstance(statement, ast.Expr)
            and kind(module, call.func.value) == "tensor"
            and not is_mapping(module, call.func.value)
            and not set_to_another(module, call)
            and not is_displayed(module, call)
        ):
            owner = ast.unparse(call.func.value)
            fix = (
                Edit(call.lineno, call.col_offset, call.col_offset, f"{owner} = ")
                if isinstance(call.func.value, ast.Name)
                else None
            )
            if not module.lines[call.lineno - 1].isascii():
                fix = None
            yield wrong(call, fix, call=ast.unparse(call), method=call.func.attr, owner=owner)


def is_displayed(module, call):
    """Whether a notebook's cell ends in it, and so shows it: not where it would place or train the tensor."""
    statement = module.parent[call]
    return (
        module.parent.get(statement) is module.tree
        and module.ends_cell(statement)
        and call.func.attr not in ("to", "cuda", "requires_grad")
    )


def set_to_another(module, call):
    """Whether the function gave an attribute such as `layer.weight` an object of another library before."""
    owner = call.func.value
    return isinstance(owner, ast.Attribute) and any(
        isinstance(each, ast.Assign)
        and ast.unparse(each.targets[0]) == ast.unparse(owner)
        and kind(module, each.value) != "tensor"
        for each in ast.walk(module.scope(call))
    )


def is_mapping(module, owner):
    """Whether the same scope uses it as a mapping (`**batch`, `batch["labels"]`), such as the batch of a
    tokenizer, whose to() does change it in place.
    """
    name = ast.unparse(owner)
    for node in ast.walk(module.scope(owner)):
        if isinstance(node, ast.keyword) and node.arg is None and ast.unparse(node.value) == name:
            return True
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == name:
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                return True
        if isinstance(node, ast.Attribute) and node.attr in ("items", "keys", "input_ids"):
            if ast.unparse(node.value) == name:
                return True
    return False
