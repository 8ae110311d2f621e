"""Worker processes for data that already lies in memory, or started anew by a loader made in each epoch."""

import ast

from torchwhy.lint.patterns import (
    LOADER,
    argument,
    conditions,
    constant,
    constants,
    inside,
    look,
    names_in,
    text,
    values_by,
    wrong,
)

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
    for call in module.calls(LOADER):
        workers = argument(call, -1, "num_workers")
        number = constants(module, workers).pop() if len(module.values(workers)) == 1 else None
        if not isinstance(number, int) or number < 1:
            continue
        if any(makes_anew(module, loop, call) for loop in module.loops(call)):
            yield wrong(call, code=text(call, 60), problem=ANEW)
        elif values_by(module, argument(call, 0, "dataset"), "torch.utils.data.TensorDataset"):
            if constant(argument(call, -1, "persistent_workers")) is not True:
                yield look(call, code=text(call, 60), problem=CHEAP)


def makes_anew(module, loop, call):
    """Whether each pass of a loop over epochs makes the loader: not one for each of several sets, and not in a
    branch that need not be taken in each pass.
    """
    target = loop.target if isinstance(loop, ast.For) else None
    branches = [each for each in conditions(module, call, loop) if not list(inside(each.test, ast.Mod))]
    if branches or (target is not None and names_in(call) & names_in(target)):
        return False
    return "epoch" in ast.unparse(target or loop.body[0])
