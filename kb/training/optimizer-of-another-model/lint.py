"""An optimizer over parameters that the trained model no longer has."""

import ast

from torchwhy.lint import patterns as p

NO_RUN = ("parameters", "state_dict", "load_state_dict", "eval", "train", "to", "named_parameters")
SIZES = ("_features", "_channels", "_dim", "_size")
ONLY_WITHOUT = ("is run without gradients only", "只在不记录梯度时运行")

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
    yield from replaced_behind(module)
    if module.methods("backward"):
        yield from copied_before(module)
        yield from never_trained(module)


def replaced_behind(module):
    """A model, or one of its layers, that is made anew behind the optimizer over it."""
    for made in p.optimizers(module):
        model, optimizer = optimized(made), p.assigned(module, made)
        if model is None or not optimizer or "add_param_group" in module.text:
            continue
        first = module.parent[made]
        for later in behind(module, first):
            if isinstance(later, ast.Assign) and p.text(later.targets[0]) == optimizer:
                break
            if replaces(module, later, model) and not rebuilt(module, first, later, optimizer):
                if trained_later(module, later, optimizer):
                    problem = (f"comes after `{optimizer}` was made", f"在 `{optimizer}` 创建之后")
                    yield p.wrong(later, code=p.text(later, 70), problem=problem)


def optimized(made):
    """The model whose parameters an optimizer is given."""
    return p.parameters_of(made.args[0]) if made.args else None


def copied_before(module):
    """An optimizer over a model of which only a copy is run."""
    made_for = {optimized(made): made for made in p.optimizers(module)}
    for call in module.calls("copy.deepcopy"):
        source, copied = call.args[0] if call.args else None, p.assigned(module, call)
        if not copied or not isinstance(source, ast.Name) or not p.is_module(module, source):
            continue
        reads = (node for node in module.by_type[ast.Name] if isinstance(node.ctx, ast.Load))
        uses = [node for node in reads if node.id == source.id and node is not source]
        if len(uses) == 1 and uses[0] in made_for and module.calls(copied):
            problem = (f"is not `{copied}`, the copy that is run", f"不是实际运行的副本 `{copied}`")
            yield p.wrong(made_for[uses[0]], code=f"{source.id}.parameters()", problem=problem)


def never_trained(module):
    """An optimizer over a model whose every run is without gradients, such as the target network of DQN."""
    for made in p.optimizers(module):
        model, owner = optimized(made), module.class_of(made)
        if not p.is_self(model) or model.attr == "module" or not is_stepped(module, made):
            continue
        of_name = [
            node for node in module.by_type[ast.Attribute] if node.attr == model.attr and node is not model
        ]
        inner = set(p.inside(owner.node, ast.Attribute)) if owner else set()
        runs = [node for node in of_name if is_run(module, node)]
        others = (node for node in of_name if node not in runs and not is_kept(module, node))
        if not runs or any(others) or not all(node in inner and p.is_self(node) for node in of_name):
            continue
        if all(p.without_gradients(module, module.parent[node], 0) for node in runs):
            yield p.wrong(made, code=p.text(model), problem=ONLY_WITHOUT)


def is_stepped(module, made):
    """Whether the optimizer is stepped under the name that it got."""
    name = p.assigned(module, made)
    return any(p.text(call.func.value) == name for call in module.methods("step"))


def is_run(module, node):
    above = module.parent[node]
    return isinstance(above, ast.Call) and above.func is node


def is_kept(module, node):
    """Whether a use neither runs the model nor hands it on: its assignment, or a method that is no run."""
    return isinstance(node.ctx, ast.Store) or getattr(module.parent[node], "attr", "") in NO_RUN


def behind(module, node):
    """The statements behind one in its block."""
    above = module.parent[node]
    for field in ("body", "orelse", "finalbody"):
        block = getattr(above, field, [])
        if node in block:
            return block[block.index(node) + 1 :]
    return []


def replaces(module, node, model):
    """Whether a statement makes the model anew, or exchanges one of its layers."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return False
    target, name = node.targets[0], p.text(model)
    old = p.text(target)
    for each in p.inside(node.value, ast.expr):
        # made from itself: model.to(), DDP(model); its sizes (model.fc.in_features) are no part of it
        above = module.parent[each]
        is_size = isinstance(above, ast.Attribute) and above.attr.endswith(SIZES)
        whole = p.text(each) == name and not isinstance(above, ast.Attribute)
        if (p.text(each) == old and not is_size) or (whole and old != name):
            return False
    part = isinstance(target, ast.Attribute | ast.Subscript)
    part = part and p.text(target.value).split(".")[0].split("[")[0] == name
    return (old == name or part) and p.is_module(module, node.value)


def rebuilt(module, first, later, optimizer):
    """Whether the optimizer is made again, or the old one is done with, behind the change."""
    made = (each for each in module.by_type[ast.Assign] if module.scope(each) is module.scope(first))
    return any(p.text(each.targets[0]) == optimizer and p.position(each) > p.position(later) for each in made)


def trained_later(module, later, optimizer):
    """Whether the optimizer still steps behind the change, or is handed on."""
    scope = module.scope(later)
    given_back = p.returned(scope) if isinstance(scope, p.Function) else []
    if any(p.text(part) == optimizer for each in given_back for part in ast.walk(each)):
        return True
    for call in module.by_type[ast.Call]:
        here = module.scope(call) is scope
        if p.position(call) < p.position(later):
            continue
        if p.method(call) == "step":
            by_name = here and p.text(call.func.value) == optimizer
            if by_name or (not here and (scope is module.tree or "." in optimizer)):
                return True
        if here and any(p.text(each) == optimizer for each in p.given(call)):
            return True
    return False
