"""Right answers of samples divided by a count of something else: batches, or one epoch's samples for all epochs'."""

import ast

from torchwhy.lint.kinds import LOADER, makers
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import look, wrong

SAYS = {
    "en": "`{code}`: {problem}",
    "zh": "`{code}`：{problem}",
}
FIX = {
    "en": "count both in the same loop, reset in each epoch: `correct += ...; total += len(y)`",
    "zh": "在同一个循环里累计两者，每个 epoch 清零：`correct += ...; total += len(y)`",
}
IN_REPRO = "accuracy = 100 * correct / len(y)"
BATCHES = (
    "the right answers of samples are divided by the number of batches",
    "以样本计的正确数除以了批次数",
)
EPOCHS = (
    "the right answers of all epochs so far are divided by one epoch's samples",
    "到目前为止所有 epoch 的正确数除以了一个 epoch 的样本数",
)


def find(module):
    for node in module.by_type[ast.AugAssign]:
        if not (
            isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name) and counts_samples(node.value)
        ):
            continue
        loops = module.loops(node)
        for division in divisions(module, node.target.id, module.scope(node)) if loops else ():
            if in_test(module, division, node):
                continue
            code = ast.unparse(module.statement(division)).split("\n")[0][:70]
            size = divisor(division)
            if size is not None and ast.unparse(size) == ast.unparse(source(module, loops[0])):
                batch = batch_size(module, size)
                if batch is None or batch > 1:
                    yield (wrong if batch else look)(division, code=code, problem=BATCHES)
            elif size is not None and never_reset(module, node, division):
                yield wrong(division, code=code, problem=EPOCHS)


def counts_samples(value):
    """`(pred == y).sum()`, with or without item()."""
    calls = [
        each.func.attr
        for each in ast.walk(value)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
    ]
    equal = any(isinstance(each, ast.Eq) for each in ast.walk(value)) or "eq" in calls
    return equal and "sum" in calls and not any(isinstance(each, ast.Div) for each in ast.walk(value))


def divisions(module, name, scope):
    """Every `name / ...` of the scope, 100 * in front of it or not."""
    for node in module.by_type[ast.BinOp]:
        if isinstance(node.op, ast.Div) and module.scope(node) is scope:
            if any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node.left)):
                yield node


def in_test(module, division, node):
    """Whether both stand in the same innermost loop: a running figure."""
    return module.loops(division)[:1] == module.loops(node)[:1]


def divisor(division):
    """What `len(...)` takes."""
    right = division.right
    if (
        isinstance(right, ast.Call)
        and isinstance(right.func, ast.Name)
        and right.func.id == "len"
        and right.args
    ):
        return right.args[0]
    return None


def source(module, loop):
    """What a loop walks over, tqdm and enumerate taken off."""
    iterated = getattr(loop, "iter", loop)
    while isinstance(iterated, ast.Call) and iterated.args:
        if module.name(iterated.func).rsplit(".", 1)[-1] not in ("enumerate", "tqdm"):
            break
        iterated = iterated.args[0]
    return iterated


def batch_size(module, loader):
    """Of a loader that the file makes: 1 where none is given, 2 where it is no literal; None for others."""
    for made in makers(module, loader):
        if module.name(made.func) == LOADER:
            given = argument(made, 1, "batch_size")
            size = constant(given)
            return size if isinstance(size, int) else 1 if given is None else 2
    return None


def never_reset(module, node, division):
    """Whether the count lives through the loop that the division stands in, and nothing sets it there."""
    around = module.loops(division)
    if not around or around[0] not in module.loops(node) or module.loops(node)[0] is around[0]:
        return False
    bound = [each for each in module.bindings(node.target) if each.node is not node]
    return bool(bound) and not any(sets(module, each, node.target.id) for each in ast.walk(around[0]))


def sets(module, node, name):
    """Whether a node gives the name a value of its own, before the division or behind it."""
    stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name
    return stored and not isinstance(module.parent[node], ast.AugAssign)
