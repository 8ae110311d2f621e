"""CUDA_LAUNCH_BLOCKING=1 set by a program whose ranks talk by NCCL."""

from torchwhy.lint import patterns as p

VARIABLE = "CUDA_LAUNCH_BLOCKING"

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
    groups = module.calls("torch.distributed.init_process_group")
    if any("nccl" in str(p.constant(p.argument(call, 0, "backend"))) for call in groups):
        for statement, _, value in p.environment(module, VARIABLE):
            if p.constant(value) == "1":
                yield p.wrong(statement, code=p.text(statement))
        for call in module.calls("os.environ.setdefault", "os.putenv"):
            if [p.constant(p.argument(call, at)) for at in (0, 1)] == [VARIABLE, "1"]:
                yield p.wrong(call, code=p.text(call))
