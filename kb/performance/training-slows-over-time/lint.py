"""A hook that is registered in every step and never removed."""

import ast

from assistant.lint.events import training_loops
from assistant.lint.rule import wrong

HOOKS = (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_backward_hook",
)

SAYS = {
    "en": "`{call}` adds another hook in every pass of the loop, and none is removed",
    "zh": "`{call}` 在循环的每一次都会再注册一个钩子，而没有移除",
}
FIX = {
    "en": "register it once before the loop, or call `handle.remove()`",
    "zh": "在循环之前注册一次，或调用 `handle.remove()`",
}
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
                    yield wrong(call, call=ast.unparse(call.func))


def loops_of_callers(module, call):
    """The loops around the one call of the function that a call stands in."""
    function = module.function(call)
    callers = module.calls_of(function) if function is not None else []
    return module.loops(callers[0]) if len(callers) == 1 else []
