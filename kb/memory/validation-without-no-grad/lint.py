"""Evaluation over batches that records a graph for each of them."""

import ast
import re
from collections import defaultdict

from torchwhy.lint import patterns as p

EVALUATES = re.compile(
    r"^(_|do_|run_)?(eval|evaluate|evaluation|validate|validation|val|test|predict|inference|infer)(_|$)"
    r"|(_|^)(evaluate|validate|validation|eval|val|test)$"
)
GRADIENTS = re.compile(
    r"backward|autograd\.(grad|functional)|requires_grad|\.grad\b|no_grad|inference_mode|set_grad_enabled|enable_grad"
    r"|functorch|torch\.func"
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
        of_function = isinstance(scope, p.Function)
        if not evals and not (of_function and EVALUATES.search(scope.name)):
            continue
        if of_function and GRADIENTS.search(ast.unparse(scope)):
            continue
        for call in calls[scope]:
            if part_of_forward(module, call) or not is_forward(module, call, evals):
                continue
            if p.without_gradients(module, call) or p.gives_no_graph(module, call):
                continue
            if loop_of(module, call, scope):
                yield p.wrong(call, call=p.text(call, 60))
                break


def part_of_forward(module, call):
    """Whether a model runs a layer of its own, as its forward does: whoever calls it turns gradients off."""
    owner = module.class_of(call)
    return owner is not None and p.is_self(call.func) and module.is_subclass(owner, "torch.nn.Module")


def is_forward(module, call, evals):
    """Whether a call runs a model that was put into eval() before, with no train() and no backward() around."""
    before = [each for each in evals if p.position(each) < p.position(call)]
    before = [each for each in before if p.text(each.func.value) == p.text(call.func)]
    if not before:
        return not evals and p.calls_model(module, call)
    return not any(
        p.position(before[-1]) < p.position(each) < p.position(call) for each in module.methods("train")
    )


def loop_of(module, call, scope):
    """Whether the innermost loop that evaluates is one that trains nothing: not one pass, to warm up or to
    trace, and no test that stands beside the code, where each pass ends in an assertion.
    """
    for loop in module.loops(call)[:1]:
        is_test = isinstance(scope, p.Function) and scope.name.lstrip("_").startswith("test_")
        leaving = (ast.Break, ast.Assert) if is_test else ast.Break
        trains = any(event.what in ("backward", "step") for event in p.events(module, loop.body))
        left = any(isinstance(each, leaving) for each in loop.body)
        return not left and not trains and not GRADIENTS.search(ast.unparse(loop))
    return False
