"""A result that backward() still needs, written into; and the result of an in-place method under a second name."""

# the script hands the tensor to a function of its own, which says nothing of where it comes from
import ast

from torchwhy.lint import patterns as p

METHODS = tuple(
    f"{name}_"
    for name in "add mul sub div clamp relu sigmoid tanh exp neg sqrt pow squeeze unsqueeze t masked_fill".split()
)
# Operations whose gradient is computed from their own result.
KEPT = ("sigmoid", "tanh", "exp", "softmax", "log_softmax", "sqrt", "relu", "elu", "reciprocal", "rsqrt")

IN_REPRO = None


def find(module):
    yield from second_names(module)
    yield from kept_results(module)
    yield from stale_forwards(module)


def second_names(module):
    for call in module.methods(*METHODS):
        statement, owner = module.parent[call], call.func.value
        if not isinstance(statement, ast.Assign) or not isinstance(owner, ast.Name):
            continue
        target = statement.targets[0]
        if isinstance(target, ast.Name) and target.id != owner.id and p.kind(module, owner) == "tensor":
            yield p.look(
                statement,
                code=p.text(statement, 60),
                says=(
                    f"gives a second name to the tensor that `{call.func.attr}` has changed",
                    f"只是给被 `{call.func.attr}` 改变的张量取了第二个名字",
                ),
                fix=(
                    "use the method without the underscore, or keep one name",
                    "使用不带下划线的方法，或只保留一个名字",
                ),
            )


def kept_results(module):
    """`p = p.sigmoid()` and then `p += x` or `p[...] = x`."""
    for name in module.by_type[ast.Name]:
        statement = module.statement(name)
        if not writes_into(statement, name):
            continue
        for each in module.bindings(name):
            made = operation(module, each.value) if each.part == "whole" else ""
            if not made or each.node is name or p.without_gradients(module, name):
                continue
            if is_trained(module, each.value):
                yield p.look(
                    statement,
                    code=p.text(statement, 60),
                    says=(
                        f"writes into the result of {made}, which backward() still needs",
                        f"改写了 {made} 的结果，而 backward() 还要用它",
                    ),
                    fix=instead_of(statement, made),
                )
                break


def instead_of(statement, made):
    """The statement that makes a new tensor of `x += y`; where only a part is written, a copy to write into."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        name = statement.target.id
        new = f"{name} = {p.text(ast.BinOp(ast.Name(name), statement.op, statement.value))}"
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
    parts = [each for part in p.inside(value, ast.Name) for each in module.values(part)]
    return any(p.calls_model(module, each) for part in [value, *parts] for each in ast.walk(part))


def writes_into(statement, name):
    """Whether a statement changes what the name stands for: `x += y`, `x[i] = y`, `x[i] += y`."""
    if isinstance(statement, ast.AugAssign):
        targets = [statement.target]
    else:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
    return (
        targets == [name]
        and isinstance(statement, ast.AugAssign)
        or any(isinstance(each, ast.Subscript) and each.value is name for each in targets)
    )


def operation(module, value):
    """The operation that made a value and keeps its result; "" for any other."""
    last = p.called(value)
    torchs = last in KEPT and module.name(value.func).startswith("torch.")
    return last if torchs or (last in KEPT and p.method(value) and not value.args) else ""


def stale_forwards(module):
    """`score = D(fake)`, then `opt_d.step()`, then backward() of a loss of that score: step() writes into the
    weights that the score's graph still needs.
    """
    for call in module.methods("backward"):
        for name, made in forwards_behind(module, call.func.value):
            step = step_between(module, made, call)
            if step is None or p.without_gradients(module, made):
                continue
            loss, line = module.statement(module.bindings(call.func.value)[0].node), made.lineno
            yield p.look(
                loss,
                code=p.text(loss, 60),
                says=(
                    f"goes back through `{name}` (line {line}), computed before `{p.text(step)}`"
                    " changed those weights",
                    f"要经过 `{name}`（第 {line} 行），而它算完之后 `{p.text(step)}` 改了那些权重",
                ),
                fix=(
                    f"compute it anew behind the step: `{p.text(made, 60)}`",
                    f"在 step 之后重新计算：`{p.text(made, 60)}`",
                ),
            )
            return


def forwards_behind(module, loss):
    """(name, call) of the models' results in the expression that a loss was made of."""
    for binding in module.bindings(loss)[:1] if isinstance(loss, ast.Name) else ():
        if binding.part == "whole" and binding.value is not None:
            for name in p.inside(binding.value, ast.Name):
                for each in module.bindings(name):
                    if each.part == "whole" and p.calls_model(module, each.value):
                        yield name.id, each.value


def step_between(module, forward, last):
    """The step() of an optimizer over the model of a forward, between that and another call of the function."""
    for step in module.methods("step"):
        if module.function(step) is module.function(last):
            if p.position(forward) < p.position(step) < p.position(last):
                for maker in p.makers(module, step.func.value):
                    model = p.parameters_of(maker.args[0]) if maker.args else None
                    if module.name(maker.func).startswith("torch.optim.") and model is not None:
                        if p.text(model) == p.text(forward.func):
                            return step
    return None
