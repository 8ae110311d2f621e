"""A count over one rank's part of the data, divided by the size of all of it."""

import ast

from torchwhy.lint.patterns import (
    LOADER,
    SAMPLERS,
    argument,
    called,
    given,
    names_in,
    text,
    values_by,
    walked,
    wrong,
)

JOINS = ("reduce", "gather", "sync", "metric")

SAYS = {
    "en": "`{code}`: `{count}` counts this rank's part alone, and is divided by the whole data set",
    "zh": "`{code}`：`{count}` 只统计了本 rank 的那一部分，却除以整个数据集的大小",
}
FIX = {
    "en": "`dist.all_reduce({count})` first, as a tensor",
    "zh": "先对张量做 `dist.all_reduce({count})`",
}
IN_REPRO = None


def find(module):
    for node in module.by_type[ast.AugAssign]:
        loops = module.loops(node)
        if not isinstance(node.target, ast.Name) or not isinstance(node.op, ast.Add) or not loops:
            continue
        data, name, scope = shared_data(module, walked(module, loops[0])), node.target.id, module.scope(node)
        if not data or joined(module, name, scope):
            continue
        for division in module.by_type[ast.BinOp]:
            if isinstance(division.op, ast.Div) and module.scope(division) is scope:
                if is_whole(division.right, data) and name in names_in(division.left):
                    yield wrong(division, code=text(division), count=name)


def shared_data(module, loader):
    """The text of the data set that a loader gives by a DistributedSampler; "" for others."""
    for made in values_by(module, loader, LOADER):
        if values_by(module, argument(made, -1, "sampler"), *SAMPLERS):
            return text(argument(made, 0, "dataset"))
    return ""


def is_whole(node, data):
    """`len(dataset)`, `len(loader.dataset)`."""
    counted = text(node.args[0]) if called(node) == "len" and node.args else ""
    return counted == data or counted.endswith(".dataset")


def joined(module, name, scope):
    """Whether a call that joins the ranks' counts is given it."""
    return any(
        any(each in (module.name(call.func) or text(call.func)).lower() for each in JOINS)
        and name in names_in(*given(call))
        for call in module.by_type[ast.Call]
        if module.scope(call) is scope
    )
