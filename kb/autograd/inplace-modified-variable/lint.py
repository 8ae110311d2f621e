"""A result that backward() still needs, written into; and the result of an in-place method under a second name."""

# the script hands the tensor to a function of its own, which says nothing of where it comes from
import ast

from torchwhy.lint.context import without_gradients
from torchwhy.lint.kinds import kind, makers
from torchwhy.lint.module import position
from torchwhy.lint.rule import look

METHODS = tuple(
    f"{name}_"
    for name in "add mul sub div clamp relu sigmoid tanh exp neg sqrt pow squeeze unsqueeze t masked_fill".split()
)
# Operations whose gradient is computed from their own result.
KEPT = ("sigmoid", "tanh", "exp", "softmax", "log_softmax", "sqrt", "relu", "elu", "reciprocal", "rsqrt")

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
    yield from second_names(module)
    yield from kept_results(module)
    yield from stale_forwards(module)


def second_names(module):
    for call in module.methods(*METHODS):
        statement = module.parent[call]
        if (
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Name)
            and isinstance(call.func.value, ast.Name)
        ):
            if statement.targets[0].id != call.func.value.id and kind(module, call.func.value) == "tensor":
                yield look(
                    statement,
                    code=ast.unparse(statement)[:60],
                    what=(
                        f"gives a second name to the tensor that `{call.func.attr}` has changed",
                        f"只是给被 `{call.func.attr}` 改变的张量取了第二个名字",
                    ),
                    instead=(
                        "use the method without the underscore, or keep one name",
                        "使用不带下划线的方法，或只保留一个名字",
                    ),
                )


def kept_results(module):
    """`p = p.sigmoid()` and then `p += x` or `p[...] = x`."""
    for name in module.by_type[ast.Name]:
        statement = module.statement(name)
        if not isinstance(statement, ast.Assign | ast.AugAssign) or not writes_into(statement, name):
            continue
        for each in module.bindings(name):
            made = operation(module, each.value) if each.part == "whole" else ""
            if not made or each.node is name or without_gradients(module, name):
                continue
            if not is_trained(module, each.value):
                continue
            yield look(
                statement,
                code=ast.unparse(statement)[:60],
                what=(
                    f"writes into the result of {made}, which backward() still needs",
                    f"改写了 {made} 的结果，而 backward() 还要用它",
                ),
                instead=instead_of(statement, made),
            )
            break


def instead_of(statement, made):
    """The statement that makes a new tensor of `x += y`; where only a part is written, a copy to write into."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        name = statement.target.id
        new = f"{name} = {ast.unparse(ast.BinOp(ast.Name(name), statement.op, statement.value))}"
        if len(new) <= 60:
            return (f"write a new tensor: `{new}`", f"写成新的张量：`{new}`")
    return (
        f"write a new tensor (`x = x + y` for `x += y`), or `.clone()` behind {made}",
        f"写成新的张量（把 `x += y` 写成 `x = x + y`），或在 {made} 之后加 `.clone()`",
    )


def is_trained(module, value):
    """Whether gradients go through a value: it is made in a forward(), or of what a model gave."""
    function = module.function(value)
    if function is not None and function.name.startswith("forward"):
        return True
    parts = [each for part in ast.walk(value) if isinstance(part, ast.Name) for each in module.values(part)]
    return any(
        isinstance(each, ast.Call) and kind(module, each.func) == "module"
        for part in [value, *parts]
        for each in ast.walk(part)
    )


def writes_into(statement, name):
    """Whether a statement changes what the name stands for: `x += y`, `x[i] = y`, `x[i] += y`."""
    if isinstance(statement, ast.AugAssign) and statement.target is name:
        return True
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return any(isinstance(each, ast.Subscript) and each.value is name for each in targets)


def operation(module, value):
    """The operation that made a value and keeps its result; "" for any other."""
    if not isinstance(value, ast.Call):
        return ""
    called = value.func
    last = (
        called.attr
        if isinstance(called, ast.Attribute)
        else called.id
        if isinstance(called, ast.Name)
        else ""
    )
    dotted = module.name(called)
    if last in KEPT and (
        dotted.startswith("torch.") or (isinstance(called, ast.Attribute) and not value.args)
    ):
        return last
    return ""


def stale_forwards(module):
    """`score = D(fake)`, then `opt_d.step()`, then backward() of a loss of that score: step() writes into the
    weights that the score's graph still needs.
    """
    for call in module.methods("backward"):
        for name in names_behind(module, call.func.value):
            for each in module.bindings(name):
                made = each.value
                if (
                    each.part != "whole"
                    or not isinstance(made, ast.Call)
                    or kind(module, made.func) != "module"
                ):
                    continue
                step = step_between(module, ast.unparse(made.func), made, call)
                if step is None or without_gradients(module, made):
                    continue
                loss = module.bindings(call.func.value)[0].node
                yield look(
                    module.statement(loss),
                    code=ast.unparse(module.statement(loss))[:60],
                    what=(
                        f"goes back through `{name.id}` (line {made.lineno}), computed before `{ast.unparse(step)}`"
                        " changed those weights",
                        f"要经过 `{name.id}`（第 {made.lineno} 行），而它算完之后 `{ast.unparse(step)}` 改了那些权重",
                    ),
                    instead=(
                        f"compute it anew behind the step: `{ast.unparse(made)[:60]}`",
                        f"在 step 之后重新计算：`{ast.unparse(made)[:60]}`",
                    ),
                )
                return


def names_behind(module, node):
    """The names in the expression that a loss was made of."""
    if not isinstance(node, ast.Name):
        return
    for each in module.bindings(node)[:1]:
        if each.part == "whole" and each.value is not None:
            yield from (part for part in ast.walk(each.value) if isinstance(part, ast.Name))


def step_between(module, model, first, last):
    """The step() of an optimizer over that model, between two calls of one function."""
    for step in module.methods("step"):
        if module.function(step) is not module.function(last) or not position(first) < position(
            step
        ) < position(last):
            continue
        for maker in makers(module, step.func.value):
            given = ast.unparse(maker.args[0]) if maker.args else ""
            if module.name(maker.func).startswith("torch.optim.") and given == f"{model}.parameters()":
                return step
    return None
