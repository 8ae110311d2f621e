"""CUDA_VISIBLE_DEVICES that is set after CUDA has counted the GPUs."""

import ast

from torchwhy.lint.module import argument, constant, position
from torchwhy.lint.rule import look, wrong

VARIABLE = "CUDA_VISIBLE_DEVICES"
HARMLESS = (
    "torch.cuda.manual_seed",
    "torch.cuda.manual_seed_all",
    "torch.cuda.amp",
    "torch.cuda.Event",
    "torch.cuda.CUDAGraph",
    "torch.cuda.device_count",
)

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
    if VARIABLE not in module.text:
        return
    for node in module.by_type[ast.Subscript]:
        if (
            constant(node.slice) != VARIABLE
            or module.name(node.value) != "os.environ"
            or not isinstance(node.ctx, ast.Store)
        ):
            continue
        statement = module.statement(node)
        scope = module.scope(node)
        before = [
            call
            for call in module.by_type[ast.Call]
            if position(call) < position(node)
            and starts_cuda(module, call)
            and reaches(module, call, node, scope)
        ]
        if before:
            yield wrong(statement, first=ast.unparse(min(before, key=position)))
        elif counted := [
            call
            for call in module.calls("torch.cuda.device_count")
            if position(call) < position(node) and reaches(module, call, node, scope)
        ]:
            yield look(statement, first=ast.unparse(counted[0]))  # early releases of torch kept the number
        elif scope is module.tree and imported_before(module, node):
            yield look(statement, first="import torch")


def starts_cuda(module, call):
    name = module.name(call.func)
    if name.startswith("torch.cuda.") and not name.startswith(HARMLESS) and "amp" not in name:
        return True
    if (
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "cuda"
        and not call.args
        and name != "torch.cuda"
    ):
        return True
    device = argument(
        call, 0 if isinstance(call.func, ast.Attribute) and call.func.attr == "to" else -1, "device"
    )
    return str(constant(device) or "").startswith("cuda") and name != "torch.device"


def reaches(module, call, node, scope):
    """Whether the call has run when the node does: the same function, or the top of the file before it."""
    own = module.scope(call)
    if own is module.tree and scope is not module.tree:
        return True
    return own is scope and module.dominates(call, node)


def imported_before(module, node):
    return any(
        module.scope(each) is module.tree and position(each) < position(node)
        for each in module.by_type[ast.Import]
        if any(alias.name.split(".")[0] == "torch" for alias in each.names)
    )
