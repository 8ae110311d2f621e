"""CUDA_LAUNCH_BLOCKING=1 set by a program whose ranks talk by NCCL."""

import ast

from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}` makes every NCCL call block its rank: collectives of several GPUs can wait for each other for ever",
    "zh": "`{code}` 会让每个 NCCL 调用阻塞本 rank：多卡的集合通信可能互相等待、永不结束",
}
FIX = {
    "en": "leave it out where NCCL runs; debug with one process, or TORCH_NCCL_BLOCKING_WAIT",
    "zh": "使用 NCCL 时不要设置；请用单进程调试，或用 TORCH_NCCL_BLOCKING_WAIT",
}
IN_REPRO = None


def find(module):
    if not any(is_nccl(call) for call in module.calls("torch.distributed.init_process_group")):
        return
    for node in module.by_type[ast.Assign]:
        target = node.targets[0]
        if (
            isinstance(target, ast.Subscript)
            and module.name(target.value) == "os.environ"
            and constant(target.slice) == "CUDA_LAUNCH_BLOCKING"
            and constant(node.value) == "1"
        ):
            yield wrong(node, code=ast.unparse(node))
    for call in module.calls("os.environ.setdefault", "os.putenv"):
        if constant(argument(call, 0)) == "CUDA_LAUNCH_BLOCKING" and constant(argument(call, 1)) == "1":
            yield wrong(call, code=ast.unparse(call))


def is_nccl(call):
    return "nccl" in str(constant(argument(call, 0, "backend")))
