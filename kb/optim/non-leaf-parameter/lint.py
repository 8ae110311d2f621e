"""A parameter that is moved or scaled after it was made, so that it is no leaf."""

# the script makes its parameter in a module
import ast

from assistant.lint.module import argument, constant
from assistant.lint.rule import wrong

MOVES = ("to", "cuda", "half", "double")

SAYS = {
    "en": "`{code}` is the result of an operation, no leaf: the optimizer refuses it, and it gets no .grad",
    "zh": "`{code}` 是运算的结果而不是叶子：优化器会拒绝它，它也没有 .grad",
}
FIX = {
    "en": "move or scale the data first, then make it require grad",
    "zh": "先移动或缩放数据，再设置 requires_grad",
}
IN_REPRO = None


def find(module):
    for call in module.by_type[ast.Call]:
        if not leaf(module, call):
            continue
        above = module.parent[call]
        if (
            isinstance(above, ast.Attribute)
            and above.attr in MOVES
            and isinstance(module.parent.get(above), ast.Call)
        ):
            outer = module.parent[above]
        elif isinstance(above, ast.BinOp):
            outer = above
        else:
            continue
        statement = module.parent.get(outer)
        if isinstance(statement, ast.Assign) and trained(module, statement.targets[0]):
            yield wrong(statement, code=ast.unparse(outer)[:70])


def leaf(module, call):
    name = module.name(call.func)
    return (
        name == "torch.nn.Parameter"
        or name.startswith("torch.")
        and constant(argument(call, -1, "requires_grad")) is True
    )


def trained(module, target):
    """Whether the name is given to an optimizer, its .grad read, or kept in a module."""
    name = ast.unparse(target)
    if name.startswith("self."):
        return True
    for call in module.by_type[ast.Call]:
        if module.name(call.func).startswith("torch.optim.") and any(
            ast.unparse(each) == name for arg in call.args[:1] for each in ast.walk(arg)
        ):
            return True
    return any(
        node.attr == "grad" and ast.unparse(node.value) == name for node in module.by_type[ast.Attribute]
    )
