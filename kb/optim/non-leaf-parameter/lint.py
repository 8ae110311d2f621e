"""A parameter that is moved or scaled after it was made, so that it is no leaf; a module that keeps a computed tensor and is copied."""

# the script makes its parameter in a module
import ast

from torchwhy.lint import patterns as p

MOVES = ("to", "cuda", "half", "double")
CUTS = ("detach", "item", "tolist", "numpy", "data", "shape", "size")
NO_LEAF = (
    "is the result of an operation, no leaf: the optimizer refuses it, and it gets no .grad",
    "是运算的结果而不是叶子：优化器会拒绝它，它也没有 .grad",
)
FIRST = ("move or scale the data first, then make it require grad", "先移动或缩放数据，再设置 requires_grad")

IN_REPRO = None


def find(module):
    yield from kept_tensors(module)
    for call in module.by_type[ast.Call]:
        above = module.parent[call]
        if isinstance(above, ast.Attribute) and above.attr in MOVES:
            outer = module.parent.get(above)
        else:
            outer = above if isinstance(above, ast.BinOp) else None
        name = p.assigned(module, outer) if isinstance(outer, ast.Call | ast.BinOp) else ""
        if name and is_leaf(module, call):
            statement = module.parent[outer]
            if is_trained(module, name) and not made_again(module, statement, name):
                yield p.wrong(statement, code=p.text(outer, 70), says=NO_LEAF, fix=FIRST)


def is_leaf(module, call):
    name = module.name(call.func)
    required = p.constant(p.argument(call, -1, "requires_grad")) is True
    return name == "torch.nn.Parameter" or name.startswith("torch.") and required


def is_trained(module, name):
    """Whether the name is given to an optimizer, its .grad read, or kept in a module."""
    held = (each for call in p.optimizers(module) for arg in call.args[:1] for each in ast.walk(arg))
    read = (node.value for node in module.by_type[ast.Attribute] if node.attr == "grad")
    kept = (node.value for node in module.by_type[ast.Assign] if any(map(p.is_self, node.targets)))
    return name.startswith("self.") or any(p.text(each) == name for each in (*held, *read, *kept))


def made_again(module, statement, name):
    """Whether the next lines make a Parameter of the value, or it is no parameter: torch.autograd.grad is
    handed it, or its elements are set anew (`self.context[:] = 0`).
    """
    for call in module.calls("torch.nn.Parameter"):
        later = module.scope(call) is module.scope(statement) and call.lineno > statement.lineno
        if later and p.assigned(module, call) and any(p.text(arg) == name for arg in call.args):
            return True
    filled = (each for each in module.by_type[ast.Subscript] if isinstance(each.ctx, ast.Store))
    if any(p.text(each.value) == name for each in filled):
        return True
    asked = (arg for call in module.calls("torch.autograd.grad") for arg in call.args[1:2])
    return any(p.text(each) == name for arg in asked for each in ast.walk(arg))


def kept_tensors(module):
    """`self.last = h` in a forward(), of a class whose object goes through copy.deepcopy."""
    seen = set()
    for copied in module.calls("copy.deepcopy"):
        for made in p.makers(module, copied.args[0]) if copied.args else ():
            home, owner = p.class_made(module, made) or (None, None)
            forward = owner.methods.get("forward") if home is module else None
            for node in p.inside(forward, ast.Assign) if forward else ():
                if is_kept(node) and node not in seen:
                    seen.add(node)
                    value, line = p.text(node.value, 40), copied.lineno
                    yield p.look(
                        node,
                        code=p.text(node, 60),
                        says=(
                            f"keeps a computed tensor in the module, which deepcopy (line {line}) refuses",
                            f"把算出来的张量留在模块里，deepcopy（第 {line} 行）不接受它",
                        ),
                        fix=(f"keep `{value}.detach()`", f"改为保存 `{value}.detach()`"),
                    )


def is_kept(node):
    """Whether a value that is no constant, and cut from no graph, goes into an attribute of self."""
    computed = isinstance(node.value, ast.Name | ast.Call | ast.Subscript | ast.BinOp)
    return p.is_self(node.targets[0]) and computed and not p.attributes_in(node.value, *CUTS)
