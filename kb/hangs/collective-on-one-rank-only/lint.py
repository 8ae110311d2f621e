"""A collective that only one rank calls."""

# the script's ranks are spawned, so that what they are given is in no call
import ast

from torchwhy.lint import patterns as p

COLLECTIVES = frozenset(
    "barrier all_reduce broadcast all_gather reduce gather scatter reduce_scatter all_to_all broadcast_object_list"
    " all_gather_object gather_object all_gather_into_tensor".split()
)
BUFFERED = frozenset(["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"])
WRAPPER = "torch.nn.parallel.DistributedDataParallel"

SAYS = {
    "en": "`{call}` stands under `if {test}`: the other ranks never call it, and everybody waits",
    "zh": "`{call}` 位于 `if {test}` 之下：其他 rank 从不调用它，所有进程都会等待",
}
FIX = {
    "en": "call it on every rank; on one rank alone use the bare `model.module`",
    "zh": "在每个 rank 上都调用；只在一个 rank 上时使用内部的 `model.module`",
}
IN_REPRO = None


def find(module):
    for call in module.by_type[ast.Call]:
        name = module.name(call.func)
        collective = name.startswith("torch.distributed.") and name.rsplit(".", 1)[-1] in COLLECTIVES
        if collective or runs_wrapped(module, call):
            branch = p.rank_branch(module, call)
            if branch is not None and not (collective and paired(module, call, branch)):
                yield p.wrong(call, call=p.text(call, 60), test=p.text(branch.test))


def runs_wrapped(module, call):
    """Whether the call runs a DistributedDataParallel itself, which exchanges gradients later, and buffers
    even where no graph is recorded.
    """
    if not isinstance(call.func, ast.Call | ast.Name):
        return False
    quiet = p.without_gradients(module, call) and not p.layers_within(module, call.func, BUFFERED)
    return not quiet and bool(p.values_by(module, call.func, WRAPPER))


def paired(module, call, branch):
    """Whether the other ranks call the same collective: in the else, or under another test of the rank."""
    name = module.name(call.func)
    if any(p.is_call(module, node, name) for each in branch.orelse for node in ast.walk(each)):
        return True
    for other in module.calls(name):
        if module.function(other) is module.function(call) and other is not call:
            for found in module.above(other):
                if (
                    isinstance(found, ast.If)
                    and found is not branch
                    and p.RANK.search(ast.unparse(found.test))
                ):
                    return p.text(found.test) != p.text(branch.test)
    return any(isinstance(each, ast.Return | ast.Continue) for each in branch.body)
