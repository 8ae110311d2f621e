"""CUDA used in a data set's __getitem__, which runs in workers."""

# the script's data set decides by a flag that it keeps
import ast

from torchwhy.lint.kinds import DATASETS, LOADER
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{call}` runs in a DataLoader worker, a forked process that cannot use CUDA",
    "zh": "`{call}` 在 DataLoader 的 worker（fork 出的子进程）中执行，不能使用 CUDA",
}
FIX = {
    "en": "return CPU tensors, and move the batch in the training loop",
    "zh": "返回 CPU 张量，在训练循环中移动批次",
}
IN_REPRO = None


def find(module):
    if not any(constant(argument(call, -1, "num_workers")) not in (0, None) for call in module.calls(LOADER)):
        return
    for owner in module.classes.values():
        if "__getitem__" in owner.methods and module.is_subclass(owner, *DATASETS):
            for node in ast.walk(owner.methods["__getitem__"]):
                if isinstance(node, ast.Call) and on_gpu(module, node):
                    yield wrong(node, call=ast.unparse(node)[:60])
    for loader in module.calls(LOADER):
        given = argument(loader, -1, "collate_fn")
        function = module.functions.get(given.id) if isinstance(given, ast.Name) else None
        if function is not None and constant(argument(loader, -1, "num_workers")) not in (0, None):
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and on_gpu(module, node):
                    yield wrong(node, call=ast.unparse(node)[:60])


def on_gpu(module, call):
    if isinstance(call.func, ast.Attribute) and call.func.attr == "cuda" and not call.args:
        return module.name(call.func) != "torch.cuda"
    device = argument(
        call, 0 if isinstance(call.func, ast.Attribute) and call.func.attr == "to" else -1, "device"
    )
    return str(constant(device) or "").startswith("cuda")
