"""A parameter that is moved or scaled after it was made, so that it is no leaf; a module that keeps a computed tensor and is copied."""

# the script makes its parameter in a module
import ast

from torchwhy.lint.kinds import class_made, makers
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import look, wrong

MOVES = ("to", "cuda", "half", "double")
CUTS = ("detach", "item", "tolist", "numpy", "data", "shape", "size")

SAYS = {
    "en": "`{code}` {what}",
    "zh": "`{code}` {what}",
}
FIX = {
    "en": "{instead}",
    "zh": "{instead}",
}
NO_LEAF = (
    "is the result of an operation, no leaf: the optimizer refuses it, and it gets no .grad",
    "是运算的结果而不是叶子：优化器会拒绝它，它也没有 .grad",
)
FIRST = ("move or scale the data first, then make it require grad", "先移动或缩放数据，再设置 requires_grad")
IN_REPRO = None


def find(module):
    yield from kept_tensors(module)
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
        if not isinstance(statement, ast.Assign) or made_again(module, statement):
            continue
        if trained(module, statement.targets[0]):
            yield wrong(statement, code=ast.unparse(outer)[:70], what=NO_LEAF, instead=FIRST)


def made_again(module, statement):
    """Whether the next lines make a Parameter of the value, or it is no parameter: torch.autograd.grad is
    handed it, or its elements are set anew (`self.context[:] = 0`).
    """
    name = ast.unparse(statement.targets[0])
    for call in module.calls("torch.nn.Parameter"):
        above = module.parent.get(call)
        if (
            isinstance(above, ast.Assign)
            and above.lineno > statement.lineno
            and module.scope(above) is module.scope(statement)
            and any(ast.unparse(arg) == name for arg in call.args)
        ):
            return True
    if any(
        isinstance(each.ctx, ast.Store) and ast.unparse(each.value) == name
        for each in module.by_type[ast.Subscript]
    ):
        return True
    return any(
        ast.unparse(each) == name
        for call in module.calls("torch.autograd.grad")
        for arg in call.args[1:2]
        for each in ast.walk(arg)
    )


def kept_tensors(module):
    """`self.last = h` in a forward(), of a class whose object goes through copy.deepcopy."""
    seen = set()
    for copied in module.calls("copy.deepcopy"):
        for made in makers(module, copied.args[0]) if copied.args else ():
            owner = class_made(module, made)
            forward = owner[1].methods.get("forward") if owner and owner[0] is module else None
            for node in ast.walk(forward) if forward else ():
                if not isinstance(node, ast.Assign) or node in seen or not is_kept(node):
                    continue
                seen.add(node)
                value = ast.unparse(node.value)
                yield look(
                    node,
                    code=ast.unparse(node)[:60],
                    what=(
                        f"keeps a computed tensor in the module, which deepcopy (line {copied.lineno}) refuses",
                        f"把算出来的张量留在模块里，deepcopy（第 {copied.lineno} 行）不接受它",
                    ),
                    instead=(f"keep `{value[:40]}.detach()`", f"改为保存 `{value[:40]}.detach()`"),
                )


def is_kept(node):
    """Whether a value that is no constant, and cut from no graph, goes into an attribute of self."""
    target, value = node.targets[0], node.value
    if not (isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"):
        return False
    if not isinstance(value, ast.Name | ast.Call | ast.Subscript | ast.BinOp):
        return False
    return not any(isinstance(each, ast.Attribute) and each.attr in CUTS for each in ast.walk(value))


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
