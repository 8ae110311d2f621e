"""nn.DataParallel."""

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` drives all GPUs from one process, which leaves them idle most of the time",
    "zh": "`{call}` 用一个进程驱动所有 GPU，GPU 大部分时间处于空闲",
}
FIX = {
    "en": "use DistributedDataParallel, one process for each GPU",
    "zh": "使用 DistributedDataParallel，每个 GPU 一个进程",
}
IN_REPRO = "report(step_time(nn.DataParallel("


def find(module):
    for call in module.calls("torch.nn.DataParallel", "torch.nn.parallel.DataParallel"):
        yield p.look(call, call=p.text(call, 60))
