"""A count over one rank's part of the data, divided by the size of all of it."""

import ast

from torchwhy.lint import patterns as p

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
        data, name, scope = (
            shared_data(module, p.walked(module, loops[0])),
            node.target.id,
            module.scope(node),
        )
        if not data or joined(module, name, scope):
            continue
        for division in module.by_type[ast.BinOp]:
            if isinstance(division.op, ast.Div) and module.scope(division) is scope:
                if is_whole(division.right, data) and name in p.names_in(division.left):
                    yield p.wrong(division, code=p.text(division), count=name)


def shared_data(module, loader):
    """The text of the data set that a loader gives by a DistributedSampler; "" for others."""
    for made in p.values_by(module, loader, p.LOADER):
        if p.values_by(module, p.argument(made, -1, "sampler"), *p.SAMPLERS):
            return p.text(p.argument(made, 0, "dataset"))
    return ""


def is_whole(node, data):
    """`len(dataset)`, `len(loader.dataset)`."""
    counted = p.text(node.args[0]) if p.called(node) == "len" and node.args else ""
    return counted == data or counted.endswith(".dataset")


def joined(module, name, scope):
    """Whether a call that joins the ranks' counts is given it."""
    return any(
        any(each in (module.name(call.func) or p.text(call.func)).lower() for each in JOINS)
        and name in p.names_in(*p.given(call))
        for call in module.by_type[ast.Call]
        if module.scope(call) is scope
    )
