"""An optimizer over parameters that the trained model no longer has."""

import ast

from torchwhy.lint.context import without_gradients
from torchwhy.lint.kinds import is_module
from torchwhy.lint.module import position
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}` {problem}: the optimizer does not hold the trained parameters",
    "zh": "`{code}` {problem}：优化器不包含被训练的参数",
}
FIX = {
    "en": "build the optimizer last, when the model is complete",
    "zh": "模型完整之后，最后再创建优化器",
}
IN_REPRO = "model = build()"


def find(module):
    yield from copied_before(module)
    yield from never_trained(module)
    for node in module.by_type[ast.Assign]:
        if not (isinstance(node.value, ast.Call) and module.name(node.value.func).startswith("torch.optim.")):
            continue
        if module.name(node.value.func).startswith("torch.optim.lr_scheduler") or not node.value.args:
            continue
        given = node.value.args[0]
        if not (
            isinstance(given, ast.Call)
            and isinstance(given.func, ast.Attribute)
            and given.func.attr == "parameters"
        ):
            continue
        model, optimizer = given.func.value, ast.unparse(node.targets[0])
        block = siblings(module, node)
        for later in block[block.index(node) + 1 :] if node in block else ():
            if isinstance(later, ast.Assign) and ast.unparse(later.targets[0]) == optimizer:
                break
            if (
                replaces(module, later, model)
                and not rebuilt(module, node, later, optimizer)
                and "add_param_group" not in module.text
            ):
                if trained_later(module, later, optimizer):
                    problem = (f"comes after `{optimizer}` was made", f"在 `{optimizer}` 创建之后")
                    yield wrong(later, code=ast.unparse(later).split("\n")[0][:70], problem=problem)


def copied_before(module):
    """An optimizer over a model of which only a copy is run."""
    for call in module.calls("copy.deepcopy"):
        above = module.parent[call]
        if not (isinstance(above, ast.Assign) and call.args and isinstance(call.args[0], ast.Name)):
            continue
        source, copied = call.args[0], ast.unparse(above.targets[0])
        if not is_module(module, source) or not module.methods("backward"):
            continue
        uses = [
            node
            for node in module.by_type[ast.Name]
            if node.id == source.id and isinstance(node.ctx, ast.Load) and node is not source
        ]
        ran = any(
            isinstance(each.func, ast.Name) and each.func.id == copied for each in module.by_type[ast.Call]
        )
        given = [made_for(module, use) for use in uses]
        if ran and len(given) == 1 and given[0] is not None:
            problem = (f"is not `{copied}`, the copy that is run", f"不是实际运行的副本 `{copied}`")
            yield wrong(given[0], code=f"{source.id}.parameters()", problem=problem)


def never_trained(module):
    """An optimizer over a model whose every run is without gradients, such as the target network of DQN."""
    if not module.methods("backward"):
        return
    for made in module.by_type[ast.Call]:
        if not module.name(made.func).startswith("torch.optim.") or not made.args:
            continue
        given = made.args[0]
        if not (isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute)):
            continue
        model = given.func.value
        if given.func.attr != "parameters" or not isinstance(model, ast.Attribute) or model.attr == "module":
            continue
        if not (isinstance(model.value, ast.Name) and model.value.id == "self"):
            continue
        owner = module.class_of(made)
        uses = [
            node
            for node in (ast.walk(owner.node) if owner else ())
            if isinstance(node, ast.Attribute)
            and ast.unparse(node) == ast.unparse(model)
            and node is not model
        ]
        runs = [node for node in uses if is_run(module, node)]
        others = [node for node in uses if node not in runs and not is_kept(module, node)]
        outside = [
            node
            for node in module.by_type[ast.Attribute]
            if node.attr == model.attr and node is not model and node not in uses
        ]
        if runs and not others and not outside and steps(module, made):
            if all(without_gradients(module, module.parent[node], 0) for node in runs):
                problem = ("is run without gradients only", "只在不记录梯度时运行")
                yield wrong(made, code=ast.unparse(model), problem=problem)


def steps(module, made):
    """Whether the optimizer is stepped under the name that it got."""
    above = module.parent[made]
    name = ast.unparse(above.targets[0]) if isinstance(above, ast.Assign) else ""
    return any(ast.unparse(call.func.value) == name for call in module.methods("step"))


def is_run(module, node):
    above = module.parent[node]
    return isinstance(above, ast.Call) and above.func is node


def is_kept(module, node):
    """Whether a use neither runs the model nor hands it on: its assignment, or a method that is no run."""
    above = module.parent[node]
    return isinstance(node.ctx, ast.Store) or (
        isinstance(above, ast.Attribute)
        and above.attr
        in ("parameters", "state_dict", "load_state_dict", "eval", "train", "to", "named_parameters")
    )


def made_for(module, use):
    """The optimizer's constructor that is given `use.parameters()`."""
    attribute = module.parent[use]
    call = module.parent.get(attribute)
    above = (
        module.parent.get(call)
        if isinstance(attribute, ast.Attribute) and attribute.attr == "parameters"
        else None
    )
    return (
        above if isinstance(above, ast.Call) and module.name(above.func).startswith("torch.optim.") else None
    )


def siblings(module, node):
    above = module.parent[node]
    return next(
        (
            block
            for field in ("body", "orelse", "finalbody")
            for block in [getattr(above, field, [])]
            if node in block
        ),
        [],
    )


def replaces(module, node, model):
    """Whether a statement makes the model anew, or exchanges one of its layers."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return False
    target, name = node.targets[0], ast.unparse(model)
    same = ast.unparse(target) == name
    old = name if same else ast.unparse(target)
    for each in ast.walk(node.value):
        # made from itself: model.to(), DDP(model); its sizes (model.fc.in_features) are no part of it
        if ast.unparse(each) == old and not is_size(module.parent[each]):
            return False
        if not same and ast.unparse(each) == name and not isinstance(module.parent[each], ast.Attribute):
            return False
    part = (
        isinstance(target, ast.Attribute | ast.Subscript)
        and ast.unparse(target.value).split(".")[0].split("[")[0] == name
    )
    return (same or part) and is_module(module, node.value)


def is_size(node):
    return isinstance(node, ast.Attribute) and node.attr.endswith(("_features", "_channels", "_dim", "_size"))


def rebuilt(module, first, later, optimizer):
    """Whether the optimizer is made again, or the old one is done with, behind the change."""
    return any(
        isinstance(each, ast.Assign)
        and ast.unparse(each.targets[0]) == optimizer
        and position(each) > position(later)
        for each in module.by_type[ast.Assign]
        if module.scope(each) is module.scope(first)
    )


def trained_later(module, later, optimizer):
    """Whether the optimizer still steps behind the change, or is handed on."""
    scope = module.scope(later)
    for call in module.by_type[ast.Call]:
        if position(call) < position(later):
            continue
        if isinstance(call.func, ast.Attribute) and call.func.attr == "step":
            elsewhere = module.scope(call) is not scope and (scope is module.tree or "." in optimizer)
            if elsewhere or module.scope(call) is scope and ast.unparse(call.func.value) == optimizer:
                return True
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if module.scope(call) is scope and any(ast.unparse(each) == optimizer for each in given):
            return True
    return False
