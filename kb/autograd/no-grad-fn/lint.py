"""A weight that its own update replaces under no_grad, and a model of which nothing is left to train."""

# the script takes the loss from argmax, which is also how accuracy is computed
import ast

from torchwhy.lint.context import without_gradients
from torchwhy.lint.kinds import kind, makers
from torchwhy.lint.module import position
from torchwhy.lint.rule import look, wrong

KNOWN = frozenset(
    "parameters named_parameters modules children to cuda cpu train eval state_dict load_state_dict zero_grad"
    " forward float half bfloat16 compile".split()
)
CUTTING = ("argmax", "item", "tolist", "numpy", "argsort")
MAKING = ("torch.tensor", "torch.argmax")
MAX_NAMES = 4  # between a loss and what cuts it

SAYS = {
    "en": "`{code}` {what}",
    "zh": "`{code}` {what}",
}
FIX = {
    "en": "{instead}",
    "zh": "{instead}",
}
IN_REPRO = None


def find(module):
    yield from replaced_weights(module)
    yield from frozen_models(module)
    yield from cut_losses(module)


def replaced_weights(module):
    """`w = w - rate * w.grad` under no_grad, in a loop: the new w requires no gradient."""
    for node in module.by_type[ast.Assign]:
        target = node.targets[0]
        if not isinstance(target, ast.Name) or not isinstance(node.value, ast.BinOp):
            continue
        name, value = target.id, node.value
        if not (isinstance(value.left, ast.Name) and value.left.id == name and isinstance(value.op, ast.Sub)):
            continue
        if not any(
            isinstance(each, ast.Attribute) and each.attr == "grad" and ast.unparse(each.value) == name
            for each in ast.walk(value.right)
        ):
            continue
        if module.loops(node) and without_gradients(module, node) and not made_trainable(module, name):
            yield wrong(
                node,
                code=ast.unparse(node)[:60],
                what=(
                    f"makes a new {name} that requires no gradient: the next backward() has nothing to start from",
                    f"得到的是一个不需要梯度的新 {name}：下一次 backward() 就无从求导",
                ),
                instead=(
                    f"write `{name} -= {ast.unparse(value.right)[:60]}`, and `{name}.grad = None` after it",
                    f"写成 `{name} -= {ast.unparse(value.right)[:60]}`，随后 `{name}.grad = None`",
                ),
            )


def made_trainable(module, name):
    """Whether the file gives this name its gradients back."""
    owners = [call.func.value for call in module.methods("requires_grad_")]
    owners += [
        node.value
        for node in module.by_type[ast.Attribute]
        if node.attr == "requires_grad" and isinstance(node.ctx, ast.Store)
    ]
    return any(isinstance(each, ast.Name) and each.id == name for each in owners)


def frozen_models(module):
    """`for p in model.parameters(): p.requires_grad = False` with nothing new in the model behind it, which
    the optimizer is then given.
    """
    for loop in module.by_type[ast.For]:
        name = frozen_by(loop)
        if name in (None, "self") or turns_on(module) or changes_later(module, name, loop):
            continue
        for call in module.methods("parameters"):
            given = call.func.value
            behind = isinstance(given, ast.Name) and given.id == name and position(call) > position(loop)
            if behind and in_optimizer(module, call) and module.scope(call) is module.scope(loop):
                yield wrong(loop, **words(loop, name))
                break
        else:
            if has_new_part(module, name, loop):
                yield look(loop, **words(loop, name))


def words(loop, name):
    return {
        "code": f"for ... in {ast.unparse(loop.iter)}"[:60],
        "what": (
            f"freezes all of {name}, its head too, and no layer is made after it",
            f"把 {name} 的全部参数都冻结了，连分类头也在内，其后也没有新建任何层",
        ),
        "instead": (
            "freeze first and put the new layer in after it, or freeze all but the head",
            "先冻结，再换上新层；或者只冻结分类头以外的部分",
        ),
    }


def has_new_part(module, name, loop):
    """Whether a layer was put into the model just before, in the same function."""
    return any(
        isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        and position(node) < position(loop)
        and module.scope(node) is module.scope(loop)
        for node in module.by_type[ast.Attribute]
    )


def frozen_by(loop):
    """The name of the model whose every parameter a loop freezes."""
    given = loop.iter
    if not (
        isinstance(given, ast.Call)
        and isinstance(given.func, ast.Attribute)
        and given.func.attr == "parameters"
        and isinstance(given.func.value, ast.Name)
        and isinstance(loop.target, ast.Name)
        and len(loop.body) == 1
    ):
        return None
    text = ast.unparse(loop.body[0])
    name = loop.target.id
    return (
        given.func.value.id
        if text in (f"{name}.requires_grad = False", f"{name}.requires_grad_(False)")
        else None
    )


def turns_on(module):
    """Whether the file lets anything train again."""
    calls = [call for call in module.methods("requires_grad_") if "False" not in ast.unparse(call)]
    stores = [
        node
        for node in module.by_type[ast.Attribute]
        if node.attr == "requires_grad"
        and isinstance(node.ctx, ast.Store)
        and "False" not in ast.unparse(module.statement(node))
    ]
    return bool(calls or stores)


def changes_later(module, name, loop):
    """Whether a part is put into the model behind the loop, or something is called that may do so."""
    scope = module.scope(loop)

    def behind(kind):
        return [
            node
            for node in module.by_type[kind]
            if position(node) > position(loop) and module.scope(node) is scope
        ]

    for node in behind(ast.Attribute):
        if ast.unparse(node).split(".")[0] != name:
            continue
        if isinstance(node.ctx, ast.Store):
            return True
        if isinstance(module.parent.get(node), ast.Call) and node.attr not in KNOWN:
            return True
    if any(node.id == name and isinstance(node.ctx, ast.Store) for node in behind(ast.Name)):
        return True
    return any(
        isinstance(each, ast.Name) and each.id == name for call in behind(ast.Call) for each in call.args
    )


def in_optimizer(module, call):
    """Whether the parameters go into an optimizer of torch."""
    return any(
        isinstance(above, ast.Call) and module.name(above.func).startswith("torch.optim.")
        for above in module.above(call)
    )


def cut_losses(module):
    """A loss of what `argmax`, `item()` or `torch.tensor()` made: no gradient goes through these."""
    for call in module.methods("backward"):
        if not isinstance(call.func.value, ast.Name) or without_gradients(module, call):
            continue
        cut = cut_behind(module, call.func.value, MAX_NAMES)
        if cut is not None:
            statement, how = cut
            yield look(
                statement,
                code=ast.unparse(statement)[:60],
                what=(
                    f"ends the graph: no gradient goes back through `{how}`, and the loss is made of it",
                    f"切断了计算图：梯度无法穿过 `{how}`，而损失就是由它算出来的",
                ),
                instead=(
                    f"make the loss of the model's output itself, before `{how}`",
                    f"用模型的输出本身计算损失，不要经过 `{how}`",
                ),
            )


def cut_behind(module, name, steps):
    """(statement, call) where what a loss was made of was cut; only what stands first in each call is
    followed, since targets need no gradient.
    """
    for each in module.bindings(name)[:1]:
        if each.part != "whole" or each.value is None:
            return None
        for node in first_parts(module, each.value):
            if isinstance(node, ast.Call):
                last = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                trainable = any(each.arg == "requires_grad" for each in node.keywords)
                if last in CUTTING or (module.name(node.func) in MAKING and not trainable):
                    return module.statement(each.value), f"{last or module.name(node.func)}()"
            if isinstance(node, ast.Name) and steps:
                found = cut_behind(module, node, steps - 1)
                if found is not None:
                    return found
    return None


def first_parts(module, node):
    """A value and what its gradient would go through: a method's object, the first argument, both operands;
    not what a model was given, whose output has the gradient of its weights.
    """
    yield node
    parts = []
    if isinstance(node, ast.Call) and kind(module, node.func) != "module":
        parts = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        parts += node.args[:1]
    elif isinstance(node, ast.Call) and "Loss" in ast.unparse(node.func) + made_by(module, node.func):
        parts = node.args[:1]
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, ast.Attribute | ast.Subscript):
        parts = [node.value]
    for part in parts:
        yield from first_parts(module, part)


def made_by(module, called):
    """The names of the classes whose object is called."""
    return " ".join(ast.unparse(each.func) for each in makers(module, called))
