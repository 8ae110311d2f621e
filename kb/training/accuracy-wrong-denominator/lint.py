"""Right answers or losses divided by a count of something else than what was summed."""

import ast
import re

from torchwhy.lint import patterns as p

BATCHES = (
    "the right answers of samples are divided by the number of batches",
    "以样本计的正确数除以了批次数",
)
EPOCHS = (
    "the right answers of all epochs so far are divided by one epoch's samples",
    "到目前为止所有 epoch 的正确数除以了一个 epoch 的样本数",
)
MEANS = (
    "the sum of each batch's mean loss is divided by a number of samples",
    "各 batch 平均损失之和除以了样本数",
)
FIRST_COUNTED = (
    "losses that are weighted by the batch's size are divided by the number of batches",
    "按 batch 大小加权的损失除以了批次数",
)
LOSSES = re.compile(r"torch\.nn\.(functional\.\w*(loss|entropy|with_logits)|\w+Loss)$")

SAYS = {
    "en": "`{code}`: {problem}",
    "zh": "`{code}`：{problem}",
}
FIX = {
    "en": "sum and count the same in one loop, reset in each epoch: `correct += ...; total += len(y)`, `loss_sum += loss.item() * len(y)`",
    "zh": "在同一个循环里累加并计数同样的东西，每个 epoch 清零：`correct += ...; total += len(y)`，`loss_sum += loss.item() * len(y)`",
}
IN_REPRO = "accuracy = 100 * correct / len(y)"


def find(module):
    for node in module.by_type[ast.AugAssign]:
        loops = module.loops(node)
        if not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name) or not loops:
            continue
        yield from of_losses(module, node, loops[0])
        for division in module.by_type[ast.BinOp] if counts_samples(node.value) else ():
            if not isinstance(division.op, ast.Div) or node.target.id not in p.names_in(division.left):
                continue
            here = module.scope(division) is module.scope(node)
            counted = division.right.args if p.called(division.right) == "len" else []
            size = counted[0] if counted else None
            if size is None or not here or p.same_pass(module, division, node):
                continue  # in the same innermost loop it is a running figure
            code = p.text(module.statement(division), 70)
            if p.text(size) == p.text(p.walked(module, loops[0])):
                batch = batch_size(module, size)
                if batch is None or batch > 1:
                    yield (p.wrong if batch else p.look)(division, code=code, problem=BATCHES)
            elif never_reset(module, node, division):
                yield p.wrong(division, code=code, problem=EPOCHS)


def of_losses(module, node, loop):
    """`total += loss.item()`, a mean, over a number of samples; `total += loss.item() * len(x)` over batches."""
    weighted = isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Mult)
    sides = [node.value.left, node.value.right] if weighted else [node.value]
    if not any(is_mean_loss(module, each) for each in sides) or (weighted and not any(map(is_size, sides))):
        return
    walked = p.text(p.walked(module, loop))
    counted = {p.text(each.target) for each in p.inside(loop, ast.AugAssign) if is_size(each.value)}
    for division in p.inside(module.function(node) or module.tree, ast.BinOp):
        right = p.text(division.right)
        if not isinstance(division.op, ast.Div) or p.text(division.left) != p.text(node.target):
            continue
        samples = right == f"len({walked}.dataset)" or right in counted
        if samples and not weighted or (weighted and right == f"len({walked})"):
            code = p.text(module.statement(division), 70)
            yield p.wrong(division, code=code, problem=FIRST_COUNTED if weighted else MEANS)


def is_size(value):
    """`len(x)`, `x.size(0)`, `x.shape[0]`."""
    return bool(re.fullmatch(r"len\(\w+\)|\w+\.size\(0\)|\w+\.shape\[0\]", p.text(value)))


def is_mean_loss(module, value):
    """`loss.item()` of a loss that the file makes without a reduction of its own."""
    item = value.func.value if p.method(value) in ("item", "detach") else value
    made = [each for each in module.values(item) if isinstance(each, ast.Call)]
    makers = [
        one
        for call in made
        for one in ([call] if LOSSES.match(module.name(call.func)) else p.makers(module, call.func))
    ]
    losses = [one for one in makers if LOSSES.match(module.name(one.func))]
    plain = all(
        p.argument(one, -1, "reduction") is None and p.argument(one, -1, "size_average") is None
        for one in losses
    )
    return bool(made) and bool(losses) and len(losses) == len(makers) and plain


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
