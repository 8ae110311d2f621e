"""Worker processes for data that already lies in memory, or started anew by a loader made in each epoch."""

import ast

from torchwhy.lint.kinds import LOADER
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import look, wrong

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
        workers = [constant(value) for value in module.values(argument(call, -1, "num_workers"))]
        if len(workers) != 1 or not isinstance(workers[0], int) or workers[0] < 1:
            continue
        code = ast.unparse(call)[:60]
        if any(
            "epoch" in ast.unparse(getattr(loop, "target", loop.body[0])) for loop in own_loops(module, call)
        ):
            yield wrong(call, code=code, problem=ANEW)
        elif in_memory(module, argument(call, 0, "dataset")):
            kept = constant(argument(call, -1, "persistent_workers")) is True
            if not kept:
                yield look(call, code=code, problem=CHEAP)


def own_loops(module, call):
    """The loops around a call, without those whose target it uses: one loader for each of several sets."""
    used = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
    return [
        loop
        for loop in module.loops(call)
        if not once_in(module, loop, call)
        and not (
            isinstance(loop, ast.For)
            and used & {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
        )
    ]


def once_in(module, loop, call):
    """Whether a branch of the loop holds the call, which need not be taken in each pass."""
    for above in module.above(call):
        if above is loop:
            return False
        if isinstance(above, ast.If) and not any(isinstance(each, ast.Mod) for each in ast.walk(above.test)):
            return True
    return False


def in_memory(module, dataset):
    return any(
        isinstance(value, ast.Call) and module.name(value.func) == "torch.utils.data.TensorDataset"
        for value in module.values(dataset)
    )
