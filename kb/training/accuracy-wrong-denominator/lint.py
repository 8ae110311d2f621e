"""Right answers of samples divided by a count of something else: batches, or one epoch's samples for all epochs'."""

import ast

from torchwhy.lint import patterns as p

BATCHES = (
    "the right answers of samples are divided by the number of batches",
    "以样本计的正确数除以了批次数",
)
EPOCHS = (
    "the right answers of all epochs so far are divided by one epoch's samples",
    "到目前为止所有 epoch 的正确数除以了一个 epoch 的样本数",
)

SAYS = {
    "en": "`{code}`: {problem}",
    "zh": "`{code}`：{problem}",
}
FIX = {
    "en": "count both in the same loop, reset in each epoch: `correct += ...; total += len(y)`",
    "zh": "在同一个循环里累计两者，每个 epoch 清零：`correct += ...; total += len(y)`",
}
IN_REPRO = "accuracy = 100 * correct / len(y)"


def find(module):
    for node in module.by_type[ast.AugAssign]:
        loops = module.loops(node)
        if not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name) or not loops:
            continue
        for division in module.by_type[ast.BinOp] if counts_samples(node.value) else ():
            if not isinstance(division.op, ast.Div) or node.target.id not in p.names_in(division.left):
                continue
            here = module.scope(division) is module.scope(node)
            size = (
                division.right.args[0] if p.called(division.right) == "len" and division.right.args else None
            )
            if size is None or not here or p.same_pass(module, division, node):
                continue  # in the same innermost loop it is a running figure
            code = p.text(module.statement(division), 70)
            if p.text(size) == p.text(p.walked(module, loops[0])):
                batch = batch_size(module, size)
                if batch is None or batch > 1:
                    yield (p.wrong if batch else p.look)(division, code=code, problem=BATCHES)
            elif never_reset(module, node, division):
                yield p.wrong(division, code=code, problem=EPOCHS)


def counts_samples(value):
    """`(pred == y).sum()`, with or without item()."""
    methods = {p.method(each) for each in p.inside(value, ast.Call)}
    equal = any(p.inside(value, ast.Eq)) or "eq" in methods
    return equal and "sum" in methods and not any(p.inside(value, ast.Div))


def batch_size(module, loader):
    """Of a loader that the file makes: 1 where none is given, 2 where it is no literal; None for others."""
    for made in p.makers(module, loader):
        if module.name(made.func) == p.LOADER:
            size = p.argument(made, 1, "batch_size")
            return 1 if size is None else p.constant(size) if isinstance(p.constant(size), int) else 2
    return None


def never_reset(module, node, division):
    """Whether the count lives through the loop that the division stands in, and nothing sets it there."""
    around, own = module.loops(division)[:1], module.loops(node)
    if not around or around[0] not in own[1:]:
        return False
    elsewhere = any(each.node is not node for each in module.bindings(node.target))
    return elsewhere and not any(sets(module, each, node.target.id) for each in p.inside(around[0], ast.Name))


def sets(module, name, wanted):
    """Whether a node gives the name a value of its own, before the division or behind it."""
    anew = isinstance(name.ctx, ast.Store) and not isinstance(module.parent[name], ast.AugAssign)
    return anew and name.id == wanted
