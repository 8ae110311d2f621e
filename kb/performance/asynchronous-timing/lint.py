"""A stopwatch around work of the GPU that nothing waits for."""

# the script reads its clock in a helper, and only on a GPU
import ast

from torchwhy.lint import patterns as p

CLOCKS = (
    *("time.time", "time.perf_counter", "time.monotonic", "timeit.default_timer"),
    *("time.perf_counter_ns", "time.time_ns"),
)
WAITS = frozenset("synchronize item cpu numpy tolist elapsed_time print".split())
PRODUCTS = ("torch.matmul", "torch.mm", "torch.bmm")

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
    for node in module.by_type[ast.BinOp] if uses_device(module) else ():
        begun = node.right
        if not isinstance(node.op, ast.Sub) or not isinstance(begun, ast.Name):
            continue
        starts = [each for each in module.bindings(begun) if p.is_call(module, each.value, *CLOCKS)]
        stop = next(iter(p.values_by(module, node.left, *CLOCKS)), None)
        if len(starts) != 1 or stop is None or module.scope(node) is not module.scope(begun):
            continue
        start = starts[0].node
        block = module.parent.get(module.statement(stop))
        if module.parent.get(module.statement(start)) is block and not waited(module, start, stop):
            yield p.wrong(module.statement(stop), stop=p.text(stop), start=p.text(start))


def uses_device(module):
    """Whether the file names cuda, or moves what it makes to a device that it is told of."""
    devices = (p.text(p.argument(call, 0, "device")) for call in module.methods("to"))
    return "cuda" in module.text or any("dev" in each for each in devices)


def waited(module, start, stop):
    """Whether no model runs between two readings of the clock, or the program waits for what runs there."""

    def between(*types):
        found = (each for one in types for each in module.by_type[one])
        return [each for each in found if p.position(start) < p.position(each) < p.position(stop)]

    calls = between(ast.Call)
    if not any(runs_model(module, call) for call in calls):
        return True
    return any(waits(module, call) for call in calls) or any(map(asks_tensor, between(ast.If, ast.While)))


def runs_model(module, call):
    # a pipeline of diffusers or transformers hands out what it has waited for
    if any("ipeline" in p.text(value.func) for value in p.values_by(module, call.func)):
        return False
    if isinstance(call.func, ast.Name) and call.func.id in ("model", "net", "network"):
        return p.kind(module, call.func) in ("module", "") and module.called(call) is None
    return p.calls_model(module, call) or p.is_call(module, call, *PRODUCTS)


def waits(module, call):
    name = p.called(call)
    if name in WAITS or "sync" in name.lower() or "backward" in name:
        return True
    if name == "to" and any(is_cpu(module, each) for each in p.given(call)):
        return True
    function = (module.called(call) or (None, None))[1]
    if function is not None and function is not module.function(call):
        return bool(p.attributes_in(function, *WAITS))
    if name in ("float", "int", "bool") and any(is_of_tensor(module, each) for each in call.args):
        return True
    return any(isinstance(each, ast.Call) and waits(module, each) for each in call.args)


def asks_tensor(branch):
    """Whether a branch is taken by a number of the GPU: `if scores.max() > 0`."""
    return bool(p.methods_in(branch.test, "any", "all", "max", "min", "sum", "mean"))


def is_cpu(module, node):
    """Whether it is the CPU as a device: "cpu", or a device made of that."""
    values = [(each, *getattr(each, "args", [])) for each in module.values(node)]
    return all("cpu" in map(p.constant, each) for each in values)


def is_of_tensor(module, node):
    """Whether it is a tensor, or an element of one: `scores[0][i]`."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return p.kind(module, node) == "tensor"
