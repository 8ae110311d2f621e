"""The best weights kept as a reference to the weights that go on training."""

import ast

from torchwhy.lint.kinds import is_module
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}` keeps a reference: the next step changes the kept weights as well",
    "zh": "`{code}` 保存的只是引用：下一步更新也会改变所保存的权重",
}
FIX = {
    "en": "keep a copy: `copy.deepcopy({value})`",
    "zh": "保存副本：`copy.deepcopy({value})`",
}
IN_REPRO = "best_loss, best = loss.item(), keep(model)"


def find(module):
    loaded = {ast.unparse(call.args[0]) for call in module.methods("load_state_dict") if call.args}
    loaded |= {
        ast.unparse(node)
        for call in module.methods("load_state_dict")
        for arg in call.args
        for node in ast.walk(arg)
        if isinstance(node, ast.Name | ast.Attribute)
    }
    returned = {
        ast.unparse(node.value)
        for node in module.by_type[ast.Return]
        if isinstance(node, ast.Return) and node.value is not None
    }
    # a loader that keeps its place has a state_dict too, which holds no weights
    walked = {
        ast.unparse(each)
        for loop in module.by_type[ast.For]
        for each in [loop.iter, *(loop.iter.args if isinstance(loop.iter, ast.Call) else ())]
    }
    for node in module.by_type[ast.Assign]:
        in_branch = is_sometimes(module, node)
        function = module.function(node)
        gathers = function is not None and function.name == "state_dict"
        if gathers or not in_branch or not (module.loops(node) or module.class_of(node) is not None):
            continue
        for target, value in pairs(node):
            name = ast.unparse(target)
            if not module.loops(node) and not ("best" in name.lower() and name.startswith("self.")):
                continue
            kept = reference(value)
            if (
                kept is not None
                and (name in loaded or "best" in name.lower())
                and ast.unparse(kept.func.value) not in walked
                and not saved_at_once(module, node, name)
                and not loaded_at_once(module, node, name)
            ):
                yield wrong(node, code=f"{name} = {ast.unparse(value)}", value=ast.unparse(kept))
            elif (
                "best" in name.lower()
                and isinstance(value, ast.Name)
                and is_module(module, value)
                and name in returned | used_later(module, node, name)
            ):
                yield wrong(node, code=f"{name} = {ast.unparse(value)}", value=ast.unparse(value))


def pairs(node):
    for target in node.targets:
        if (
            isinstance(target, ast.Tuple)
            and isinstance(node.value, ast.Tuple)
            and len(target.elts) == len(node.value.elts)
        ):
            yield from zip(target.elts, node.value.elts)
        else:
            yield target, node.value


def reference(value):
    """The call `m.state_dict()` where a value is it, or a shallow copy of it."""
    if not isinstance(value, ast.Call):
        return None
    name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
    if name == "state_dict" and isinstance(value.func, ast.Attribute):
        return None if "loader" in ast.unparse(value.func.value) else value
    if name == "copy" and isinstance(value.func, ast.Attribute):
        return reference(value.args[0]) if value.args else reference(value.func.value)
    return reference(value.args[0]) if name in ("dict", "OrderedDict") and len(value.args) == 1 else None


def saved_at_once(module, node, name):
    """Whether the same block writes it to a file, or the loop ends there."""
    above = module.parent[node]
    text = "\n".join(ast.unparse(each) for each in getattr(above, "body", []))
    return (
        "torch.save" in text
        and name in text
        or any(isinstance(each, ast.Break | ast.Return) for each in getattr(above, "body", []))
    )


def is_sometimes(module, node):
    """Whether it is done in a branch: of the innermost loop, where there is one."""
    loops = module.loops(node)
    for above in module.above(node):
        if loops and above is loops[0]:
            return False
        if isinstance(above, ast.If):
            return True
    return False


def loaded_at_once(module, node, name):
    """Whether the same block loads it into a model again: nothing trains in between."""
    block = [each for each in getattr(module.parent[node], "body", []) if each.lineno > node.lineno]
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr == "load_state_dict"
        and [ast.unparse(arg) for arg in each.args[:1]] == [name]
        for statement in block
        for each in ast.walk(statement)
    ) and not any(".step(" in ast.unparse(each) for each in block)


def used_later(module, node, name):
    """{name} where it is used behind the loop."""
    last = module.loops(node)[-1].end_lineno
    return {
        each.id
        for each in module.by_type[ast.Name]
        if each.lineno > last and isinstance(each.ctx, ast.Load) and each.id == name
    }
