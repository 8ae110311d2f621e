"""CUDA_VISIBLE_DEVICES that is set after CUDA has counted the GPUs."""

import ast

from torchwhy.lint import patterns as p

VARIABLE = "CUDA_VISIBLE_DEVICES"
HARMLESS = ("torch.cuda.manual_seed", "torch.cuda.Event", "torch.cuda.CUDAGraph", "torch.cuda.device_count")

SAYS = {
    "en": "CUDA_VISIBLE_DEVICES is set after `{first}`: CUDA has already counted the GPUs, so nothing changes",
    "zh": "CUDA_VISIBLE_DEVICES 在 `{first}` 之后才设置：CUDA 已经数过 GPU，设置不起作用",
}
FIX = {
    "en": "set it before the program starts, or above `import torch`",
    "zh": "在程序启动之前设置，或写在 `import torch` 之前",
}
IN_REPRO = 'os.environ["CUDA_VISIBLE_DEVICES"] = ""'


def find(module):
    for statement, _, _ in p.environment(module, VARIABLE):
        scope = module.scope(statement)

        def before(call):
            """Whether a call has run: in the same function, or at the top of the file before it."""
            if p.position(call) >= p.position(statement):
                return False
            top = module.scope(call) is module.tree and scope is not module.tree
            return top or module.scope(call) is scope and module.dominates(call, statement)

        starts = [call for call in module.by_type[ast.Call] if starts_cuda(module, call) and before(call)]
        counts = [call for call in module.calls("torch.cuda.device_count") if before(call)]
        if starts:
            yield p.wrong(statement, first=p.text(min(starts, key=p.position)))
        elif counts:
            yield p.look(statement, first=p.text(counts[0]))  # early releases of torch kept the number
        elif scope is module.tree and imported_before(module, statement):
            yield p.look(statement, first="import torch")


def starts_cuda(module, call):
    name = module.name(call.func)
    if name.startswith("torch.cuda.") and not name.startswith(HARMLESS) and "amp" not in name:
        return True
    return p.uses_gpu(module, call) and name != "torch.device"


def imported_before(module, node):
    return any(
        module.scope(each) is module.tree and p.position(each) < p.position(node)
        for each in module.by_type[ast.Import]
        if any(alias.name.split(".")[0] == "torch" for alias in each.names)
    )
