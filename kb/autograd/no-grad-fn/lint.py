"""A weight that its own update replaces under no_grad, and a model of which nothing is left to train."""

import ast

from torchwhy.lint import patterns as p

KNOWN = frozenset(
    "parameters named_parameters modules children to cuda cpu train eval state_dict load_state_dict zero_grad"
    " forward float half bfloat16 compile".split()
)

IN_REPRO = "loss = criterion(model(x))"


def find(module):
    yield from replaced_weights(module)
    yield from frozen_models(module)
    yield from cut_losses(module)


def replaced_weights(module):
    """`w = w - rate * w.grad` under no_grad, in a loop: the new w requires no gradient."""
    for node in module.by_type[ast.Assign]:
        target, value = node.targets[0], node.value
        if not isinstance(target, ast.Name) or not isinstance(value, ast.BinOp):
            continue
        if p.text(value.left) != target.id or not isinstance(value.op, ast.Sub) or not module.loops(node):
            continue
        name, change = target.id, p.text(value.right, 60)
        own = any(p.text(each.value) == name for each in p.attributes_in(value.right, "grad"))
        if own and p.without_gradients(module, node) and not made_trainable(module, name):
            yield p.wrong(
                node,
                code=p.text(node, 60),
                says=(
                    f"makes a new {name} that requires no gradient: the next backward() has nothing to start from",
                    f"得到的是一个不需要梯度的新 {name}：下一次 backward() 就无从求导",
                ),
                fix=(
                    f"write `{name} -= {change}`, and `{name}.grad = None` after it",
                    f"写成 `{name} -= {change}`，随后 `{name}.grad = None`",
                ),
            )


def made_trainable(module, name):
    """Whether the file gives this name its gradients back."""
    owners = [call.func.value for call in module.methods("requires_grad_")]
    owners += [node.value for node in p.stored(module, "requires_grad")]
    return any(isinstance(each, ast.Name) and each.id == name for each in owners)


def frozen_models(module):
    """`for p in model.parameters(): p.requires_grad = False` with nothing new in the model behind it, which
    the optimizer is then given.
    """
    for loop in module.by_type[ast.For]:
        name = frozen_by(loop)
        if name in (None, "self") or turns_on(module) or changes_later(module, name, loop):
            continue
        optimized = any(
            p.text(call.func.value).split(".")[0] == name
            and p.position(call) > p.position(loop)
            and module.scope(call) is module.scope(loop)
            and in_optimizer(module, call)
            for call in module.methods("parameters")
        )
        if optimized or has_new_part(module, name, loop):
            yield (p.wrong if optimized else p.look)(
                loop,
                code=f"for ... in {p.text(loop.iter)}"[:60],
                says=(
                    f"freezes all of {name}, its head too, and no layer is made after it",
                    f"把 {name} 的全部参数都冻结了，连分类头也在内，其后也没有新建任何层",
                ),
                fix=(
                    "freeze first and put the new layer in after it, or freeze all but the head",
                    "先冻结，再换上新层；或者只冻结分类头以外的部分",
                ),
            )


def frozen_by(loop):
    """The name of the model whose every parameter a loop freezes."""
    model = p.parameters_of(loop.iter)
    if not (isinstance(model, ast.Name) and isinstance(loop.target, ast.Name) and len(loop.body) == 1):
        return None
    name = loop.target.id
    freezes = (f"{name}.requires_grad = False", f"{name}.requires_grad_(False)")
    return model.id if ast.unparse(loop.body[0]) in freezes else None


def has_new_part(module, name, loop):
    """Whether a layer was put into the model just before, in the same function."""
    return any(
        isinstance(node.ctx, ast.Store) and p.text(node.value) == name and p.position(node) < p.position(loop)
        for node in module.by_type[ast.Attribute]
        if module.scope(node) is module.scope(loop)
    )


def turns_on(module):
    """Whether the file lets anything train again."""
    changes = [*module.methods("requires_grad_"), *map(module.statement, p.stored(module, "requires_grad"))]
    return any("False" not in p.text(each) for each in changes)


def changes_later(module, name, loop):
    """Whether a part is put into the model behind the loop, or something is called that may do so."""

    def behind(kind):
        found = (node for node in module.by_type[kind] if p.position(node) > p.position(loop))
        return [node for node in found if module.scope(node) is module.scope(loop)]

    for node in behind(ast.Attribute):
        if p.text(node).split(".")[0] == name:
            unknown = isinstance(module.parent.get(node), ast.Call) and node.attr not in KNOWN
            if unknown or isinstance(node.ctx, ast.Store):
                return True
    again = any(node.id == name and isinstance(node.ctx, ast.Store) for node in behind(ast.Name))
    return again or any(p.text(each) == name for call in behind(ast.Call) for each in call.args)


def in_optimizer(module, call):
    """Whether the parameters go into an optimizer of torch."""
    around = (above for above in module.above(call) if isinstance(above, ast.Call))
    return any(module.name(above.func).startswith("torch.optim.") for above in around)


def cut_losses(module):
    """A loss of what `argmax`, `detach()` or `torch.tensor()` made: no gradient goes through these."""
    for call in module.methods("backward"):
        cut = p.cut_of(module, call.func.value) if not p.without_gradients(module, call) else None
        if cut is not None:
            statement, how = cut
            yield p.wrong(
                statement,
                code=p.text(statement, 60),
                says=(
                    f"ends the graph: no gradient goes back through `{how}`, and the loss is made of it",
                    f"切断了计算图：梯度无法穿过 `{how}`，而损失就是由它算出来的",
                ),
                fix=(
                    f"make the loss of the model's output itself, before `{how}`",
                    f"用模型的输出本身计算损失，不要经过 `{how}`",
                ),
            )
