"""A variable of the thread pools that is set after torch or numpy has read it."""

import ast

from torchwhy.lint.module import constant, position
from torchwhy.lint.rule import wrong

VARIABLES = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "GOMP_CPU_AFFINITY",
    "KMP_AFFINITY",
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
    for node in module.by_type[ast.Subscript]:
        if (
            constant(node.slice) in VARIABLES
            and module.name(node.value) == "os.environ"
            and isinstance(node.ctx, ast.Store)
        ):
            first = imported_before(module, node)
            if first and not for_children(module, node):
                yield wrong(module.statement(node), variable=str(constant(node.slice)), first=first)


def for_children(module, node):
    """Whether the function then starts processes, which take the variable over."""
    if any(module.scope(call) is module.scope(node) for call in module.calls("torch.set_num_threads")):
        return True  # this process has been told already
    return any(
        position(call) > position(node)
        and module.scope(call) is module.scope(node)
        and starts_process(module.name(call.func))
        for call in module.by_type[ast.Call]
    )


def starts_process(name):
    return (
        name.startswith("subprocess.") or "multiprocessing." in name and name.endswith(("spawn", "Process"))
    )


def imported_before(module, node):
    for kind in (ast.Import, ast.ImportFrom):
        for each in module.by_type[kind]:
            names = [alias.name for alias in each.names] if kind is ast.Import else [each.module or ""]
            first = next((name.split(".")[0] for name in names if name.split(".")[0] in READERS), "")
            if (
                first
                and position(each) < position(node)
                and module.scope(each) in (module.scope(node), module.tree)
            ):
                return first
    return ""
