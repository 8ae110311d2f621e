"""A loss or metric of an evaluation that each batch overwrites, and that is read behind the loop."""

import ast
import re

from torchwhy.lint import patterns as p

METRIC = re.compile(r"loss|acc|err|metric|score|m[as]e|iou|dice|psnr|f1|auc|ppl|perplexity", re.I)
MODEL = re.compile(r"(^|[._])(model|net|network|classifier|criterion|loss_fn)$", re.I)
EVALUATES = re.compile(r"no_grad|inference_mode|\.eval\(\)")

SAYS = {
    "en": "`{code}` is overwritten by each batch: behind the loop `{name}` is that of the last batch alone",
    "zh": "`{code}` 被每个 batch 覆盖：循环之后的 `{name}` 只是最后一个 batch 的值",
}
FIX = {
    "en": "sum in the loop, weighted by the batch's size, and divide by the number of samples: `total += {name} * len(batch)`",
    "zh": "在循环里按 batch 大小加权累加，再除以样本数：`total += {name} * len(batch)`",
}
IN_REPRO = "loss = nn.functional.mse_loss(model(inputs), targets)"


def find(module):
    for loop in module.by_type[ast.For]:
        around = module.function(loop) or module.tree
        if goes_through_batches(module, loop) and evaluates(module, loop):
            for node in loop.body:
                target = node.targets[0] if isinstance(node, ast.Assign) else None
                if (
                    isinstance(target, ast.Name)
                    and METRIC.search(target.id)
                    and p.inside(node.value, ast.Call)
                ):
                    if only_read_behind(around, loop, target.id):
                        yield p.wrong(node, code=p.text(node, 60), name=target.id)


def goes_through_batches(module, loop):
    """Over a loader: not over numbers or names, not left after the first, and not for training."""
    counted = p.called(loop.iter) in ("range", "trange", "items", "zip", "islice")
    leaves = any(p.inside(loop, ast.Break, ast.Return, ast.Yield))
    calls = p.inside(loop, ast.Call)
    asks = any(p.calls_model(module, call) or MODEL.search(p.text(call.func)) for call in calls)
    trains = any(p.methods_in(loop, "backward", "step"))
    return asks and not (counted or leaves or trains or has_one_batch(module, loop))


def has_one_batch(module, loop):
    """Whether the loader is known to give one batch: all of a list that is written out."""
    for made in p.makers(module, p.walked(module, loop)):
        size = p.constant(p.argument(made, 1, "batch_size"))
        lists = module.values(made.args[0]) if made.args else []
        if isinstance(size, int) and any(size >= len(getattr(one, "elts", range(size + 1))) for one in lists):
            return True
    return False


def evaluates(module, loop):
    function = module.function(loop)
    withs = [p.text(item.context_expr) for each in module.above(loop) for item in getattr(each, "items", ())]
    header = "\n".join(map(p.text, function.decorator_list + function.body[:4])) if function else ""
    return bool(EVALUATES.search("\n".join([header, *withs])))


def only_read_behind(around, loop, name):
    """Whether nothing but a print reads it in the loop, and the next use behind the loop reads it."""
    uses = sorted((each for each in p.inside(around, ast.Name) if each.id == name), key=p.position)
    shown = [
        each
        for call in p.inside(loop, ast.Call)
        if p.called(call) in ("print", "set_postfix")
        for each in p.inside(call, ast.Name)
    ]
    within = [each for each in uses if loop.lineno <= each.lineno <= loop.end_lineno and each not in shown]
    behind = [each for each in uses if each.lineno > loop.end_lineno]
    stored = [each for each in within if isinstance(each.ctx, ast.Store)]
    return within == stored and len(stored) == 1 and bool(behind) and isinstance(behind[0].ctx, ast.Load)
