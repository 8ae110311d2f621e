"""Worker processes for data that already lies in memory, or started anew by a loader made in each epoch."""

import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{code}`: {problem}",
    "zh": "`{code}`：{problem}",
}
FIX = {
    "en": "make the loader once, with persistent_workers=True; for tensors in memory num_workers=0",
    "zh": "只创建一次加载器，并设 persistent_workers=True；数据已在内存中时用 num_workers=0",
}
IN_REPRO = "chosen = epoch_time(DataLoader("
ANEW = (
    "its workers are started anew in every epoch, since the loop makes a new loader",
    "循环里每个 epoch 都新建加载器，worker 进程也随之重新启动",
)
CHEAP = (
    "workers only copy tensors that lie in memory already",
    "数据已在内存中，worker 只是多了一次复制",
)


def find(module):
    for call in module.calls(p.LOADER):
        workers = p.argument(call, -1, "num_workers")
        number = p.constants(module, workers).pop() if len(module.values(workers)) == 1 else None
        if not isinstance(number, int) or number < 1:
            continue
        if any(makes_anew(module, loop, call) for loop in module.loops(call)):
            # without persistent_workers they would be started anew by one loader as well
            kept = p.constant(p.argument(call, -1, "persistent_workers")) is True
            yield (p.wrong if kept else p.look)(call, code=p.text(call, 60), problem=ANEW)
        elif p.values_by(module, p.argument(call, 0, "dataset"), "torch.utils.data.TensorDataset"):
            if p.constant(p.argument(call, -1, "persistent_workers")) is not True:
                yield p.look(call, code=p.text(call, 60), problem=CHEAP)


def makes_anew(module, loop, call):
    """Whether each pass of a loop over epochs makes the loader: not one for each of several sets, and not in a
    branch that need not be taken in each pass.
    """
    target = loop.target if isinstance(loop, ast.For) else None
    branches = [each for each in p.conditions(module, call, loop) if not list(p.inside(each.test, ast.Mod))]
    if branches or (target is not None and p.names_in(call) & p.names_in(target)):
        return False
    return "epoch" in ast.unparse(target or loop.body[0])
