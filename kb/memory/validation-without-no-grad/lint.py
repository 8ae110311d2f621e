"""Evaluation over batches that records a graph for each of them."""

import ast
import re
from collections import defaultdict

from torchwhy.lint.context import without_gradients
from torchwhy.lint.events import events
from torchwhy.lint.kinds import kind
from torchwhy.lint.module import Function, position
from torchwhy.lint.rule import wrong

EVALUATES = re.compile(
    r"^(_|do_|run_)?(eval|evaluate|evaluation|validate|validation|val|test|predict|inference|infer)(_|$)|(_|^)(evaluate|validate|validation|eval|val|test)$"
)
GRADIENTS = re.compile(
    r"backward|autograd\.(grad|functional)|requires_grad|\.grad\b|no_grad|inference_mode|set_grad_enabled|enable_grad|functorch|torch\.func"
)

SAYS = {
    "en": "`{call}` runs in an evaluation loop that records the graph: nothing turns gradients off",
    "zh": "`{call}` 在评估循环中仍会记录计算图：没有关闭梯度",
}
FIX = {
    "en": "put the loop under `with torch.no_grad():` (or inference_mode)",
    "zh": "把循环放到 `with torch.no_grad():`（或 inference_mode）之下",
}
IN_REPRO = "predictions.append(model("


def find(module):
    if module.is_test:  # there `test_` begins the name of a test, and nothing runs for long
        return
    calls = defaultdict(list)
    for call in module.by_type[ast.Call]:
        calls[module.scope(call)].append(call)
    for scope in (module.tree, *module.by_type[ast.FunctionDef]):
        evals = [call for call in module.methods("eval") if module.scope(call) is scope and not call.args]
        named = isinstance(scope, Function) and EVALUATES.search(scope.name)
        if not evals and not named:
            continue
        if isinstance(scope, Function) and GRADIENTS.search(ast.unparse(scope)):
            continue
        for call in calls[scope]:
            if part_of_forward(module, call):
                continue
            if is_forward(module, call, evals) and not without_gradients(module, call):
                if loop_of(module, call, scope):
                    yield wrong(call, call=ast.unparse(call)[:60])
                    break


def part_of_forward(module, call):
    """Whether a model runs a layer of its own, as its forward does: whoever calls it turns gradients off."""
    owner = module.class_of(call)
    return (
        owner is not None
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "self"
        and module.is_subclass(owner, "torch.nn.Module")
    )


def is_forward(module, call, evals):
    """Whether a call runs a model that was put into eval() before, with no train() and no backward() around."""
    owner = ast.unparse(call.func) if isinstance(call.func, ast.Name | ast.Attribute) else ""
    before = [
        each for each in evals if position(each) < position(call) and ast.unparse(each.func.value) == owner
    ]
    if not before:
        return not evals and kind(module, call.func) == "module"
    back = [
        each for each in module.methods("train") if position(before[-1]) < position(each) < position(call)
    ]
    return not back


def is_own_test(scope, loop):
    """Whether it is a test that stands beside the code: named so, and each pass ends in an assertion."""
    return (
        isinstance(scope, Function)
        and scope.name.lstrip("_").startswith("test_")
        and any(isinstance(each, ast.Assert) for each in loop.body)
    )


def loop_of(module, call, scope):
    """Whether the innermost loop that evaluates is one that trains nothing."""
    loops = module.loops(call)
    return (
        bool(loops)
        and not any(isinstance(each, ast.Break) for each in loops[0].body)  # one pass, to warm up or to trace
        and not is_own_test(scope, loops[0])
        and not any(event.what in ("backward", "step") for event in events(module, loops[0].body))
        and not GRADIENTS.search(ast.unparse(loops[0]))
    )
