"""Processes that each compute on the CPU with a full set of threads."""

import ast

from torchwhy.lint.module import argument
from torchwhy.lint.rule import look

SAYS = {
    "en": "`{call}` starts processes that each take as many threads as there are cores, to run `{function}`",
    "zh": "`{call}` 启动的每个进程都会占用与核数相同的线程来运行 `{function}`",
}
FIX = {
    "en": "call `torch.set_num_threads(cores // processes)` first thing in `{function}`",
    "zh": "在 `{function}` 的开头调用 `torch.set_num_threads(核数 // 进程数)`",
}
IN_REPRO = None
RUNS = ("map", "imap", "imap_unordered", "starmap", "apply_async", "submit")
LIMITS = ("set_num_threads", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "threadpool_limits")


def find(module):
    if any(each in module.text for each in LIMITS):
        return
    for call in module.by_type[ast.Call]:
        given = work_of(module, call)
        function = module.functions.get(given.id) if isinstance(given, ast.Name) else None
        if function is not None and computes(module, function):
            yield look(call, call=ast.unparse(call.func), function=function.name)


def work_of(module, call):
    """The function that other processes are given."""
    name = module.name(call.func)
    if name.endswith(".Process") and module.loops(call) or name.endswith("multiprocessing.spawn"):
        return argument(call, 0 if name.endswith("spawn") else 1, "target", "fn")
    if isinstance(call.func, ast.Attribute) and call.func.attr in RUNS and is_pool(module, call.func.value):
        return argument(call, 0)
    return None


def is_pool(module, owner):
    """Whether a value is a pool of processes, bound by `with` or by an assignment."""
    bound = [each.value for each in module.bindings(owner)] if isinstance(owner, ast.Name) else [owner]
    return any(
        isinstance(made, ast.Call) and module.name(made.func).endswith((".Pool", ".ProcessPoolExecutor"))
        for made in bound
    )


def computes(module, function):
    """Whether it runs a model or torch on the CPU."""
    text = ast.unparse(function)
    return "cuda" not in text and any(
        isinstance(node, ast.Call) and module.name(node.func).startswith("torch.")
        for node in ast.walk(function)
    )
