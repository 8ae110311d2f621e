"""A stopwatch around work of the GPU that nothing waits for."""

# the script reads its clock in a helper, and only on a GPU
import ast

from torchwhy.lint.kinds import kind
from torchwhy.lint.module import constant, position
from torchwhy.lint.rule import wrong

CLOCKS = (
    "time.time",
    "time.perf_counter",
    "time.monotonic",
    "timeit.default_timer",
    "time.perf_counter_ns",
    "time.time_ns",
)
WAITS = frozenset("synchronize item cpu numpy tolist elapsed_time print".split())

SAYS = {
    "en": "`{stop}` is read while the GPU is still computing: nothing waits for it since `{start}`",
    "zh": "读取 `{stop}` 时 GPU 仍在计算：自 `{start}` 以来没有等待它",
}
FIX = {
    "en": "call `torch.cuda.synchronize()` before both readings",
    "zh": "两次读取时间之前都调用 `torch.cuda.synchronize()`",
}
IN_REPRO = None


def find(module):
    if "cuda" not in module.text:
        return
    for node in module.by_type[ast.BinOp]:
        if not (
            isinstance(node.op, ast.Sub)
            and isinstance(node.right, ast.Name)
            and module.scope(node) is module.scope(node.right)
        ):
            continue
        starts = [
            each
            for each in module.bindings(node.right)
            if isinstance(each.value, ast.Call) and module.name(each.value.func) in CLOCKS
        ]
        stop = stop_of(module, node.left)
        if len(starts) != 1 or stop is None or not same_block(module, starts[0].node, stop):
            continue
        between = [
            call
            for call in module.by_type[ast.Call]
            if position(starts[0].node) < position(call) < position(stop) and call is not starts[0].value
        ]
        if not any(runs_model(module, call) for call in between) or any(
            waits(module, call) for call in between
        ):
            continue
        if any(
            position(starts[0].node) < position(test) < position(stop) and asks_tensor(test)
            for test in (*module.by_type[ast.If], *module.by_type[ast.While])
        ):
            continue
        yield wrong(module.statement(stop), stop=ast.unparse(stop), start=ast.unparse(starts[0].node))


def stop_of(module, node):
    """The reading of the clock on the left of `stop - start`."""
    for value in module.values(node):
        if isinstance(value, ast.Call) and module.name(value.func) in CLOCKS:
            return value
    return None


def same_block(module, start, stop):
    return module.parent.get(module.statement(start)) is module.parent.get(module.statement(stop))


def is_pipeline(module, node):
    """Whether it is a pipeline of diffusers or transformers, which hands out what it has waited for."""
    return any(
        isinstance(value, ast.Call) and "ipeline" in ast.unparse(value.func) for value in module.values(node)
    )


def runs_model(module, call):
    if is_pipeline(module, call.func):
        return False
    if isinstance(call.func, ast.Name) and call.func.id in ("model", "net", "network"):
        return kind(module, call.func) in ("module", "") and module.called(call) is None
    return kind(module, call.func) == "module" or module.name(call.func) in (
        "torch.matmul",
        "torch.mm",
        "torch.bmm",
    )


def waits(module, call):
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in WAITS or "sync" in name.lower() or "backward" in name:
        return True
    if name == "to" and any(is_cpu(module, arg) for arg in [*call.args, *(k.value for k in call.keywords)]):
        return True
    called = module.called(call)
    if called and called[1] is not module.function(call):
        return any(isinstance(each, ast.Attribute) and each.attr in WAITS for each in ast.walk(called[1]))
    if name in ("float", "int", "bool") and any(is_of_tensor(module, arg) for arg in call.args):
        return True
    return any(isinstance(arg, ast.Call) and waits(module, arg) for arg in call.args)


def asks_tensor(branch):
    """Whether a branch is taken by a number of the GPU: `if scores.max() > 0`."""
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr in ("any", "all", "max", "min", "sum", "mean")
        for each in ast.walk(branch.test)
    )


def is_cpu(module, node):
    """Whether it is the CPU as a device: "cpu", or a device made of that."""
    return all(
        "cpu" in (constant(value), *(constant(arg) for arg in getattr(value, "args", [])))
        for value in module.values(node)
    )


def is_of_tensor(module, node):
    """Whether it is a tensor, or an element of one: `scores[0][i]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return kind(module, node) == "tensor"
