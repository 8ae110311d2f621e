"""What grows with every step: hooks that are never removed, a state that keeps the graph of all steps before it."""

import ast

from torchwhy.lint import patterns as p

HOOKS = (
    *("register_forward_hook", "register_forward_pre_hook"),
    *("register_full_backward_hook", "register_backward_hook"),
)
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
    for loop, _ in p.training_loops(module):
        for call in module.methods(*HOOKS):
            around = module.loops(call) or loops_of_callers(module, call)
            if not around or not (loop in around or around[-1] in module.loops(loop)):
                continue
            over_modules = any("modules" in p.text(getattr(each, "iter", None)) for each in around)
            if not over_modules and not p.methods_in(around[-1], "remove", "clear"):
                yield p.wrong(call, code=p.text(call.func), says=HOOK, fix=ONCE)
    yield from carried(module)


def loops_of_callers(module, call):
    """The loops around the one call of the function that a call stands in."""
    function = module.function(call)
    callers = module.calls_of(function) if function is not None else []
    return module.loops(callers[0]) if len(callers) == 1 else []


def carried(module):
    """`backward(retain_graph=True)` over a state that each pass makes from the one before, never detached."""
    for call in module.methods("backward"):
        loops = module.loops(call)
        if not loops or p.constant(p.argument(call, 1, "retain_graph")) is not True:
            continue
        names = (carried_name(module, each) for each in p.inside(loops[0], ast.Assign))
        name = next(filter(None, names), "")
        if name and not p.attributes_in(loops[0], "detach", "detach_", "data"):
            yield p.wrong(
                call,
                code=p.text(call),
                says=(
                    f"keeps the graph of all steps before: `{name}` is made from itself and never detached",
                    f"会保留此前所有步的计算图：`{name}` 由自身得到，且从未 detach",
                ),
                fix=(
                    f"`{name} = {name}.detach()` after each step, and no retain_graph",
                    f"每一步之后 `{name} = {name}.detach()`，并去掉 retain_graph",
                ),
            )


def carried_name(module, node):
    """The state of `hidden = cell(x, hidden)` or `out, hidden = rnn(x, hidden)`; "" for others."""
    if not isinstance(node.value, ast.Call) or not p.is_module(module, node.value.func):
        return ""
    handed = p.names_in(*node.value.args)
    made = (each.id for each in p.inside(node.targets[0], ast.Name))
    return next((name for name in made if name in handed), "")
