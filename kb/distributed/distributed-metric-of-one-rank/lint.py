"""A count over one rank's part of the data, divided by the size of all of it."""

import ast

from torchwhy.lint.kinds import LOADER
from torchwhy.lint.module import argument
from torchwhy.lint.rule import wrong

SAYS = {
    "en": "`{code}`: `{count}` counts this rank's part alone, and is divided by the whole data set",
    "zh": "`{code}`：`{count}` 只统计了本 rank 的那一部分，却除以整个数据集的大小",
}
FIX = {
    "en": "`dist.all_reduce({count})` first, as a tensor",
    "zh": "先对张量做 `dist.all_reduce({count})`",
}
IN_REPRO = None
SAMPLERS = ("torch.utils.data.distributed.DistributedSampler", "torch.utils.data.DistributedSampler")
JOINS = ("reduce", "gather", "sync", "metric")


def find(module):
    for node in module.by_type[ast.AugAssign]:
        if (
            not isinstance(node.target, ast.Name)
            or not isinstance(node.op, ast.Add)
            or not module.loops(node)
        ):
            continue
        loop = module.loops(node)[0]
        data = shared_data(module, getattr(loop, "iter", None))
        name, scope = node.target.id, module.scope(node)
        if data is None or joined(module, name, scope):
            continue
        for division in module.by_type[ast.BinOp]:
            if (
                isinstance(division.op, ast.Div)
                and module.scope(division) is scope
                and whole(division.right, data)
            ):
                if any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(division.left)):
                    yield wrong(division, code=ast.unparse(division), count=name)


def shared_data(module, iterated):
    """The text of the data set that a loop walks over by a DistributedSampler; None for others."""
    if isinstance(iterated, ast.Call) and iterated.args and module.name(iterated.func) != LOADER:
        iterated = iterated.args[0]
    for made in module.values(iterated):
        if isinstance(made, ast.Call) and module.name(made.func) == LOADER:
            for sampler in module.values(argument(made, -1, "sampler")):
                if isinstance(sampler, ast.Call) and module.name(sampler.func) in SAMPLERS:
                    data = argument(made, 0, "dataset")
                    return ast.unparse(data) if data is not None else None
    return None


def whole(node, data):
    """`len(dataset)`, `len(loader.dataset)`."""
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args
    ):
        return False
    text = ast.unparse(node.args[0])
    return text == data or text.endswith(".dataset")


def joined(module, name, scope):
    """Whether a call that joins the ranks' counts is given it."""
    for call in module.by_type[ast.Call]:
        called = module.name(call.func) or ast.unparse(call.func)
        if module.scope(call) is scope and any(each in called.lower() for each in JOINS):
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            if any(isinstance(each, ast.Name) and each.id == name for one in given for each in ast.walk(one)):
                return True
    return False
