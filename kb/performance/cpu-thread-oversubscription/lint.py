"""Processes that each compute on the CPU with a full set of threads."""

import ast

from torchwhy.lint import patterns as p

RUNS = ("map", "imap", "imap_unordered", "starmap", "apply_async", "submit")
LIMITS = ("set_num_threads", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "threadpool_limits")

SAYS = {
    "en": "`{call}` starts processes that each take as many threads as there are cores, to run `{function}`",
    "zh": "`{call}` 启动的每个进程都会占用与核数相同的线程来运行 `{function}`",
}
FIX = {
    "en": "call `torch.set_num_threads(cores // processes)` first thing in `{function}`",
    "zh": "在 `{function}` 的开头调用 `torch.set_num_threads(核数 // 进程数)`",
}
IN_REPRO = None


def find(module):
    for call in module.by_type[ast.Call] if not any(each in module.text for each in LIMITS) else ():
        work = work_of(module, call)
        function = module.functions.get(work.id) if isinstance(work, ast.Name) else None
        if function is not None and "cuda" not in ast.unparse(function):
            if any(module.name(each.func).startswith("torch.") for each in p.inside(function, ast.Call)):
                yield p.look(call, call=p.text(call.func), function=function.name)


def work_of(module, call):
    """The function that other processes are given."""
    name = module.name(call.func)
    if name.endswith(".Process") and module.loops(call) or name.endswith("multiprocessing.spawn"):
        return p.argument(call, 0 if name.endswith("spawn") else 1, "target", "fn")
    return p.argument(call, 0) if p.method(call) in RUNS and is_pool(module, call.func.value) else None


def is_pool(module, owner):
    """Whether a value is a pool of processes, bound by `with` or by an assignment."""
    bound = [each.value for each in module.bindings(owner)] if isinstance(owner, ast.Name) else [owner]
    names = (module.name(made.func) for made in bound if isinstance(made, ast.Call))
    return any(name.endswith((".Pool", ".ProcessPoolExecutor")) for name in names)
