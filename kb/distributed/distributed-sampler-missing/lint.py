"""DistributedDataParallel with a DataLoader that shuffles by itself, or a sampler that never hears of the
epoch.
"""

# the script plays the ranks in one process, without DistributedDataParallel
import ast

from torchwhy.lint import patterns as p

WRAPPER = "torch.nn.parallel.DistributedDataParallel"
OF_EVALUATION = ("val", "test", "eval")

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
    samplers = module.calls(*p.SAMPLERS)
    if module.calls(WRAPPER):
        for call in module.calls(p.LOADER):
            name = p.assigned(module, call)
            if shuffles_alone(call) and not any(each in name for each in OF_EVALUATION):
                if not (
                    of_a_rank(module, p.argument(call, 0, "dataset"))
                    or for_one_only(module, call, samplers)
                    or is_prepared(module, name)
                ):
                    yield p.wrong(call, loader=name or "DataLoader")
    if "set_epoch" in module.text or module.calls("accelerate.Accelerator"):
        return
    loops = [loop for loop in module.by_type[ast.For] if "epoch" in p.text(loop.target)]
    for call in samplers:
        name = p.assigned(module, call) or "DistributedSampler"
        if p.constant(p.argument(call, -1, "shuffle")) is False or handed_on(module, name):
            continue
        if any(together(module, loop, call) for loop in loops):
            if not any(each in name + p.text(call) for each in OF_EVALUATION):
                yield p.wrong(call, loader=name)


def shuffles_alone(loader):
    sampled = any(p.argument(loader, -1, name) is not None for name in ("sampler", "batch_sampler"))
    return p.constant(p.argument(loader, 2, "shuffle")) is True and not sampled and len(loader.args) <= 3


def together(module, loop, call):
    """Whether one function, or one class, makes the sampler and goes through the epochs."""
    owner = module.class_of(call)
    if module.scope(loop) is module.scope(call):
        return True
    if owner is not None and module.class_of(loop) is owner and module.methods("backward"):
        return True
    trains = any(event.what == "backward" for event in p.events(module, loop.body))
    return trains and is_returned(module, call)


def is_returned(module, call):
    """Whether a function of the file makes the sampler and returns it, or its loader."""
    name, function = p.assigned(module, call), module.function(call)
    values = (each.value for each in p.inside(function, ast.Return)) if name and function else ()
    return any(name in p.names_in(value) for value in values if value is not None)


def for_one_only(module, call, samplers):
    """Whether it stands in the branch for one process, and the other branch makes a sampler."""
    branches = [set(p.conditions(module, each, None)) for each in (call, *samplers)]
    return any(branches[0] & each for each in branches[1:])


def of_a_rank(module, dataset):
    """Whether the data was cut to the rank's own part by hand: `index.split(size)[rank]`."""
    names = p.inside(dataset, ast.Name) if dataset is not None else ()
    bound = (each.value for name in names for each in module.bindings(name) if each.value is not None)
    return any(p.RANK.search(ast.unparse(value)) for value in [*module.values(dataset), *bound])


def is_prepared(module, name):
    """Whether accelerate or Fabric is given the loader, by this name or as an attribute of it, and exchanges
    its sampler.
    """
    last = name.rsplit(".", 1)[-1]
    return bool(last) and any(
        p.text(arg).rsplit(".", 1)[-1] == last
        for call in module.methods("prepare", "prepare_data_loader", "setup_dataloaders")
        for arg in call.args
    )


def handed_on(module, name):
    """Whether a function that may call set_epoch is given the sampler."""
    others = (call for call in module.by_type[ast.Call] if not module.name(call.func).startswith("torch."))
    return any(p.text(each) == name for call in others for each in p.given(call))
