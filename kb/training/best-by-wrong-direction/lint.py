"""The best weights are kept where a loss is higher, or a score lower, than the best so far; or never."""

import ast
import math
import re

from torchwhy.lint import patterns as p

LOWER = re.compile(r"(^|_)(loss|losses|error|err|mse|mae|rmse|nll|ppl|perplexity|wer|cer|fid)(_|$)")
HIGHER = re.compile(
    r"(^|_)(acc|accuracy|f1|auc|iou|miou|dice|bleu|psnr|ssim|recall|precision|reward|map)(_|$)"
)
OTHERWISE = re.compile(r"neg|minus|inv|worst|max|min(?!i)|hard|attack|adv|rate|score|gain|diff|prev|last")
KEEPS = re.compile(r"state_dict|save|deepcopy|epoch|patience|counter|ckpt|checkpoint|wait|weights|params")
BELOW_ZERO = re.compile(r"cosine|log_prob|elbo|likelihood|-\s*loss", re.I)  # of losses that may be so
HUGE = 1e3

WORSE = (
    "`{test}` keeps what is worse: {of} is better where it is {way}",
    "`{test}` 保留的是更差的：{of} 应当是{zh_way}更好",
)
NEVER = (
    "`{test}` never holds: the best {of} so far begins with {start}",
    "`{test}` 永远不成立：最佳 {of} 的初值是 {start}",
)
FIX = {
    "en": "`{right}`",
    "zh": "`{right}`",
}
SAYS = {"en": "{problem}", "zh": "{problem}"}
IN_REPRO = "train(lambda new, best: new > best"


def find(module):
    for node in module.by_type[ast.If]:
        tests = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
        for test in tests:
            told = compared(node, test)
            if told is None:
                continue
            value, best, more = told
            wants_more = direction(value)
            if wants_more is None:
                continue
            words = {"of": p.text(value), "test": p.text(test)}
            if more != wants_more:
                sign = ">" if wants_more else "<"
                words |= {
                    "way": "higher" if wants_more else "lower",
                    "zh_way": "越高" if wants_more else "越低",
                }
                yield p.wrong(
                    test, problem=filled(WORSE, words), right=f"{p.text(value)} {sign} {p.text(best)}"
                )
            elif isinstance(node.test, ast.Compare):
                start = beginning(module, best, wants_more)
                if start is not None:
                    words["start"] = p.text(start)
                    right = f'{p.text(best)} = float("{"-" if wants_more else ""}inf")'
                    yield p.wrong(start, problem=filled(NEVER, words), right=right)


def filled(texts, words):
    return tuple(text.format(**words) for text in texts)


def compared(node, test):
    """(what is compared, the best so far, whether more is taken) where the body keeps it as the best."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return None
    left, right, more = test.left, test.comparators[0], isinstance(test.ops[0], ast.Gt | ast.GtE)
    if "best" in p.text(left).lower():
        left, right, more = right, left, not more
    body = ast.Module(node.body, [])
    pairs = [
        pair
        for each in p.inside(body, ast.Assign)
        for target in each.targets
        for pair in matched(target, each.value)
    ]
    kept = any((p.text(right), p.text(left)) == (p.text(one), p.text(other)) for one, other in pairs)
    keeps = KEEPS.search("\n".join(map(ast.unparse, node.body)))
    return (left, right, more) if kept and keeps and "best" in p.text(right).lower() else None


def matched(target, value):
    several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
    return zip(target.elts, value.elts) if several else [(target, value)]


def direction(value):
    """Whether more of it is better; None where its name does not say so."""
    name = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
    if not name or OTHERWISE.search(name.lower()):
        return None
    lower, higher = LOWER.search(name.lower()), HIGHER.search(name.lower())
    return None if bool(lower) == bool(higher) else bool(higher)


def beginning(module, best, wants_more):
    """The value that the best so far begins with, where nothing can be better than it."""
    if isinstance(best, ast.Attribute):
        found = [each for each in module.attribute(best) if number_of(each) is not None]
    else:
        found = [each.value for each in module.bindings(best)] if isinstance(best, ast.Name) else []
    number = number_of(found[0]) if len(found) == 1 else None
    may_be = not wants_more and BELOW_ZERO.search(module.text)
    never = number is not None and (number >= HUGE if wants_more else number <= 0) and not may_be
    return found[0] if never else None


def number_of(value):
    """`0`, `-1e9`, `float("inf")`, `np.inf`, `-math.inf`."""
    sign = -1 if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else 1
    value = value.operand if sign < 0 else value
    if p.text(value) in ("np.inf", "math.inf", "torch.inf", "numpy.inf"):
        return sign * math.inf
    number = p.constant(value.args[0]) if p.called(value) == "float" and value.args else p.constant(value)
    try:
        return sign * float(number)
    except (TypeError, ValueError):
        return None
