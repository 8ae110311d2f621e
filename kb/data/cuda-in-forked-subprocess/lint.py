"""CUDA used in a data set's __getitem__, which runs in workers."""

# the script's data set decides by a flag that it keeps
import ast

from torchwhy.lint import patterns as p

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
    loaders = [call for call in module.calls(p.LOADER) if p.has_workers(call)]
    run = (
        [each.methods["__getitem__"] for each in p.classes(module, p.DATASETS, "__getitem__")]
        if loaders
        else []
    )
    collates = (p.argument(loader, -1, "collate_fn") for loader in loaders)
    run += [module.functions[each.id] for each in collates if getattr(each, "id", "") in module.functions]
    for function in run:
        for call in p.inside(function, ast.Call):
            if p.uses_gpu(module, call):
                yield p.wrong(call, call=p.text(call, 60))
