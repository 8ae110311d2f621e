"""A variable of the thread pools that is set after torch or numpy has read it."""

import ast

from torchwhy.lint import patterns as p

VARIABLES = (
    *("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"),
    *("GOMP_CPU_AFFINITY", "KMP_AFFINITY"),
)
READERS = ("torch", "numpy")

SAYS = {
    "en": "{variable} is set after `{first}` is imported, which has read it already",
    "zh": "{variable} 在导入 `{first}` 之后才设置，而后者已经读取过它",
}
FIX = {
    "en": "set it above the first import of torch and numpy, or call torch.set_num_threads()",
    "zh": "写在首次导入 torch 和 numpy 之前，或调用 torch.set_num_threads()",
}
IN_REPRO = 'os.environ["OMP_NUM_THREADS"] = "1"'


def find(module):
    for statement, variable, _ in p.environment(module, *VARIABLES):
        first = imported_before(module, statement)
        if first and not for_children(module, statement):
            yield p.wrong(statement, variable=variable, first=first)


def for_children(module, node):
    """Whether the function then starts processes, which take the variable over, or has told this one already."""
    calls = (call for call in module.by_type[ast.Call] if module.scope(call) is module.scope(node))
    return any(
        p.is_call(module, call, "torch.set_num_threads")
        or (p.position(call) > p.position(node) and starts_process(module.name(call.func)))
        for call in calls
    )


def starts_process(name):
    by_multiprocessing = "multiprocessing." in name and name.endswith(("spawn", "Process"))
    return name.startswith("subprocess.") or by_multiprocessing


def imported_before(module, node):
    """The one of the readers that is imported before a node, there or at the top of the file; "" for none."""
    for each in [*module.by_type[ast.Import], *module.by_type[ast.ImportFrom]]:
        names = [alias.name for alias in each.names] if isinstance(each, ast.Import) else [each.module or ""]
        first = next((name.split(".")[0] for name in names if name.split(".")[0] in READERS), "")
        near = module.scope(each) in (module.scope(node), module.tree)
        if first and near and p.position(each) < p.position(node):
            return first
    return ""
