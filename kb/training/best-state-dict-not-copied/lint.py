"""The best weights kept as a reference to the weights that go on training."""

import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{code}` keeps a reference: the next step changes the kept weights as well",
    "zh": "`{code}` 保存的只是引用：下一步更新也会改变所保存的权重",
}
FIX = {
    "en": "keep a copy: `{value}`",
    "zh": "保存副本：`{value}`",
}
IN_REPRO = "best_loss, best = loss.item(), keep(model)"


def find(module):
    yield from aliased_weights(module)
    loads = [arg for call in module.methods("load_state_dict") for arg in call.args]
    loaded = {p.text(each) for arg in loads for each in (arg, *p.inside(arg, ast.Name, ast.Attribute))}
    returns = {p.text(node.value) for node in module.by_type[ast.Return]}
    # a loader that keeps its place has a state_dict too, which holds no weights
    walks = [loop.iter for loop in module.by_type[ast.For]]
    walked_over = {p.text(each) for walk in walks for each in (walk, *getattr(walk, "args", ()))}
    for node in module.by_type[ast.Assign]:
        function, loops = module.function(node), module.loops(node)
        in_loop = loops or module.class_of(node) is not None
        gathers = function is not None and function.name == "state_dict"
        if gathers or not in_loop or not p.conditions(module, node, loops[0] if loops else None):
            continue
        for target, value in pairs(node):
            name = p.text(target)
            is_best, code = "best" in name.lower(), f"{name} = {p.text(value)}"
            if not loops and not (is_best and name.startswith("self.")):
                continue
            kept = reference(value)
            if kept is not None and (is_best or name in loaded) and not left_before(module, node, name):
                if p.text(kept.func.value) not in walked_over and not used_at_once(module, node, name):
                    yield p.wrong(node, code=code, value=f"copy.deepcopy({p.text(kept)})")
            elif kept is None and is_best and isinstance(value, ast.Name) and p.is_module(module, value):
                if name in returns or is_used_later(module, loops[-1], name):
                    yield p.wrong(node, code=code, value=f"copy.deepcopy({p.text(value)})")


def aliased_weights(module):
    """`shadow = {name: p.data for name, p in model.named_parameters()}`, which is written in place or read as
    what the weights were, in a file that gives no parameter other data.
    """
    if any(isinstance(each.ctx, ast.Store) and each.attr == "data" for each in module.by_type[ast.Attribute]):
        return
    for node in module.by_type[ast.Assign]:
        made = node.value
        value = made.value if isinstance(made, ast.DictComp) else getattr(made, "elt", None)
        walked = p.text(made.generators[0].iter) if value is not None else ""
        owner = value.func.value if p.method(value) == "detach" else getattr(value, "value", None)
        live = p.method(value) == "detach" or getattr(value, "attr", "") == "data"
        of_model = ("parameters()", ".state_dict().items()", ".state_dict().values()")
        if live and isinstance(owner, ast.Name) and walked.endswith(of_model):
            name = p.text(node.targets[0])
            if is_kept_apart(module, name):
                code = f"{name} = {p.text(made)}"
                yield p.wrong(node, code=code, value=f"{owner.id}.detach().clone()")


def is_kept_apart(module, name):
    """Whether what is kept is changed in place, or copied or loaded into a model."""
    for call in module.methods("copy_", "load_state_dict", "add_", "mul_", "lerp_"):
        if any(p.text(each) == name for each in ast.walk(call)):
            return True
    return False


def pairs(node):
    """(target, value) of an assignment, also of `a, b = c, d`."""
    for target in node.targets:
        targets, values = getattr(target, "elts", None), getattr(node.value, "elts", ())
        yield from zip(targets, values) if targets and len(targets) == len(values) else [(target, node.value)]


def reference(value):
    """The call `m.state_dict()` where a value is it, or a shallow copy of it."""
    name = p.called(value)
    if name == "state_dict" and p.method(value):
        return None if "loader" in p.text(value.func.value) else value
    if name == "copy" and p.method(value):
        return reference(value.args[0] if value.args else value.func.value)
    return reference(value.args[0]) if name in ("dict", "OrderedDict") and len(value.args) == 1 else None


def left_before(module, node, name):
    """Whether a local name is loaded only before the loop that sets it: the next pass sets it anew."""
    loops = module.loops(node)
    loads = [each for each in module.methods("load_state_dict") if name in map(p.text, each.args)]
    local = loops and loads and all(module.scope(each) is module.scope(node) for each in loads)
    return local and "best" not in name and all(p.end(each) < p.position(loops[-1]) for each in loads)


def used_at_once(module, node, name):
    """Whether the same block writes it to a file, loads it into a model again with no step in between, or
    leaves the loop.
    """
    block = p.block_of(module, node)
    whole = "\n".join(map(ast.unparse, block))
    if ("torch.save" in whole and name in whole) or any(
        isinstance(each, ast.Break | ast.Return) for each in block
    ):
        return True
    later = [each for each in block if each.lineno > node.lineno]
    loads = (call for each in later for call in p.methods_in(each, "load_state_dict"))
    loaded = any(call.args and p.text(call.args[0]) == name for call in loads)
    return loaded and not any(".step(" in ast.unparse(each) for each in later)


def is_used_later(module, loop, name):
    reads = (each for each in module.by_type[ast.Name] if isinstance(each.ctx, ast.Load))
    return any(each.id == name and each.lineno > loop.end_lineno for each in reads)
