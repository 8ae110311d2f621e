"""DistributedDataParallel with a DataLoader that shuffles by itself, or a sampler that never hears of the
epoch.
"""

# the script plays the ranks in one process, without DistributedDataParallel
import ast

from torchwhy.lint.context import RANK
from torchwhy.lint.events import events
from torchwhy.lint.kinds import LOADER
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import look, wrong

SAMPLER = "torch.utils.data.distributed.DistributedSampler"
WRAPPER = "torch.nn.parallel.DistributedDataParallel"

SAYS = {
    "en": "`{loader}` does not give each rank its own part of the data, newly shuffled in each epoch",
    "zh": "`{loader}` 没有让每个 rank 得到各自的一份数据，并在每个 epoch 重新打乱",
}
FIX = {
    "en": "give it a DistributedSampler instead of shuffle=True, and call `sampler.set_epoch(epoch)` in each epoch",
    "zh": "用 DistributedSampler 代替 shuffle=True，并在每个 epoch 调用 `sampler.set_epoch(epoch)`",
}
IN_REPRO = None


def find(module):
    if module.calls(WRAPPER):
        for call in module.calls(LOADER):
            if (
                any(argument(call, -1, name) is not None for name in ("sampler", "batch_sampler"))
                or len(call.args) > 3
            ):
                continue
            above = module.parent[call]
            name = ast.unparse(above.targets[0]) if isinstance(above, ast.Assign) else ""
            if constant(argument(call, 2, "shuffle")) is True and not any(
                each in name for each in ("val", "test", "eval")
            ):
                if not (
                    of_a_rank(module, argument(call, 0, "dataset"))
                    or for_one_only(module, call)
                    or is_prepared(module, name)
                ):
                    yield wrong(call, loader=name or "DataLoader")
    samplers = [
        call
        for call in module.calls(SAMPLER, "torch.utils.data.DistributedSampler")
        if constant(argument(call, -1, "shuffle")) is not False
    ]
    if samplers and "set_epoch" not in module.text and not module.calls("accelerate.Accelerator"):
        loops = [loop for loop in module.by_type[ast.For] if "epoch" in ast.unparse(loop.target)]
        for call in samplers:
            above = module.parent[call]
            name = ast.unparse(above.targets[0]) if isinstance(above, ast.Assign) else "DistributedSampler"
            if (
                any(together(module, loop, call) for loop in loops)
                and not handed_on(module, name)
                and not any(each in name + ast.unparse(call) for each in ("val", "test", "eval"))
            ):
                yield wrong(call, loader=name)


def together(module, loop, call):
    """Whether one function, or one class, makes the sampler and goes through the epochs."""
    owner = module.class_of(call)
    return (
        module.scope(loop) is module.scope(call)
        or (is_returned(module, call) and trains_in(module, loop))
        or (owner is not None and module.class_of(loop) is owner and bool(module.methods("backward")))
    )


def is_returned(module, call):
    """Whether a function of the file makes the sampler and returns it, or its loader."""
    function = module.function(call)
    above = module.parent[call]
    name = ast.unparse(above.targets[0]) if isinstance(above, ast.Assign) else ""
    return (
        bool(name)
        and function is not None
        and any(
            isinstance(each, ast.Return)
            and each.value is not None
            and any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(each.value))
            for each in ast.walk(function)
        )
    )


def trains_in(module, loop):
    return any(event.what == "backward" for event in events(module, loop.body))


def for_one_only(module, call):
    """Whether it stands in the branch for one process, and the other branch makes a sampler."""
    samplers = module.calls(SAMPLER, "torch.utils.data.DistributedSampler")
    ifs = [above for above in module.above(call) if isinstance(above, ast.If)]
    return any(above in ifs for each in samplers for above in module.above(each))


def of_a_rank(module, dataset):
    """Whether the data was cut to the rank's own part by hand: `index.split(size)[rank]`."""
    texts = [ast.unparse(value) for value in module.values(dataset)]
    for name in ast.walk(dataset) if dataset is not None else ():
        if isinstance(name, ast.Name):
            texts += [ast.unparse(each.value) for each in module.bindings(name) if each.value is not None]
    return any(RANK.search(text) for text in texts)


def is_prepared(module, name):
    """Whether accelerate or Fabric is given the loader, by this name or as an attribute of it, and exchanges
    its sampler.
    """
    last = name.rsplit(".", 1)[-1]
    return bool(last) and any(
        ast.unparse(arg).rsplit(".", 1)[-1] == last
        for call in module.methods("prepare", "prepare_data_loader", "setup_dataloaders")
        for arg in call.args
    )


def handed_on(module, name):
    """Whether a function that may call set_epoch is given the sampler."""
    for call in module.by_type[ast.Call]:
        if not module.name(call.func).startswith("torch."):
            if any(
                ast.unparse(each) == name
                for each in (*call.args, *(keyword.value for keyword in call.keywords))
            ):
                return True
    return False
