"""What grows with every step: hooks that are never removed, a state that keeps the graph of all steps before it."""

import ast

from torchwhy.lint.events import training_loops
from torchwhy.lint.kinds import is_module
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

HOOKS = (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_backward_hook",
)

SAYS = {
    "en": "`{call}` {problem}",
    "zh": "`{call}` {problem}",
}
FIX = {
    "en": "{fix}",
    "zh": "{fix}",
}
HOOK = (
    "adds another hook in every pass of the loop, and none is removed",
    "在循环的每一次都会再注册一个钩子，而没有移除",
)
ONCE = (
    "register it once before the loop, or call `handle.remove()`",
    "在循环之前注册一次，或调用 `handle.remove()`",
)
IN_REPRO = "handle = model.register_forward_hook"


def find(module):
    for loop, _ in training_loops(module):
        for call in module.methods(*HOOKS):
            around = module.loops(call) or loops_of_callers(module, call)
            if not around or not (loop in around or around[-1] in module.loops(loop)):
                continue
            if not any(each in ast.walk(around[-1]) for each in module.methods("remove", "clear")):
                if not any(
                    isinstance(each, ast.For) and "modules" in ast.unparse(each.iter) for each in around
                ):
                    yield wrong(call, call=ast.unparse(call.func), problem=HOOK, fix=ONCE)
    yield from carried(module)


def carried(module):
    """`backward(retain_graph=True)` over a state that each pass makes from the one before, never detached."""
    for call in module.methods("backward"):
        loops = module.loops(call)
        if not loops or constant(argument(call, 1, "retain_graph")) is not True:
            continue
        inside = list(ast.walk(loops[0]))
        if any(
            isinstance(each, ast.Attribute) and each.attr in ("detach", "detach_", "data") for each in inside
        ):
            continue
        for node in inside:
            name = carried_name(module, node)
            if name:
                problem = (
                    f"keeps the graph of all steps before: `{name}` is made from itself and never detached",
                    f"会保留此前所有步的计算图：`{name}` 由自身得到，且从未 detach",
                )
                fix = (
                    f"`{name} = {name}.detach()` after each step, and no retain_graph",
                    f"每一步之后 `{name} = {name}.detach()`，并去掉 retain_graph",
                )
                yield wrong(call, call=ast.unparse(call), problem=problem, fix=fix)
                break


def carried_name(module, node):
    """The state of `hidden = cell(x, hidden)` or `out, hidden = rnn(x, hidden)`; "" for others."""
    if not (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and is_module(module, node.value.func)
    ):
        return ""
    given = {each.id for arg in node.value.args for each in ast.walk(arg) if isinstance(each, ast.Name)}
    made = [each.id for each in ast.walk(node.targets[0]) if isinstance(each, ast.Name)]
    return next((name for name in made if name in given), "")


def loops_of_callers(module, call):
    """The loops around the one call of the function that a call stands in."""
    function = module.function(call)
    callers = module.calls_of(function) if function is not None else []
    return module.loops(callers[0]) if len(callers) == 1 else []
