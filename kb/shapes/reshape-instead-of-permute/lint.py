"""A reshape to a permutation of the tensor's own sizes: the shape fits, the elements do not."""

import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` has the sizes of {tensor} in another order: it cuts the data anew instead of turning the axes",
    "zh": "`{call}` 只是把 {tensor} 的各维大小换了顺序：它重新切分数据，而不是交换维度",
}
FIX = {
    "en": "use `{tensor}.permute(...)` or transpose",
    "zh": "使用 `{tensor}.permute(...)` 或 transpose",
}
IN_REPRO = "turn(lambda x: x.reshape(3, 4, 6))"


def find(module):
    for call in module.methods("reshape", "view"):
        in_one = len(call.args) == 1 and isinstance(call.args[0], ast.Tuple | ast.List)
        asked = call.args[0].elts if in_one else call.args
        if turns(module, call, asked) or is_permuted(
            p.shape(module, call.func.value), p.sizes(module, call.args)
        ):
            yield p.wrong(call, call=p.text(call), tensor=p.text(call.func.value))


def turns(module, call, asked):
    """Whether the sizes that are asked for are the tensor's own in another order, or split the wrong axis."""
    order = [p.dimension(module, each, p.text(call.func.value), call) for each in asked]
    if len(order) > 2 and None not in order and order != sorted(order) == list(range(len(order))):
        return True
    return len(asked) == 4 and (splits_last(asked, order) or heads_before_time(module, call, asked))


def is_permuted(own, new):
    """Whether both shapes are known, and the one has the sizes of the other in another order."""
    if own is None or new is None or len(own) <= 2 or not all(isinstance(size, int) for size in (*own, *new)):
        return False
    return own != new and sorted(own) == sorted(new) and 1 not in own


def heads_before_time(module, call, asked):
    """`q.view(B, heads, T, size)` of a q that a linear layer made from (B, T, C): the heads are no axis yet."""
    source = p.behind_linear(module, call.func.value)
    if source is None:
        return False
    order = [p.dimension(module, each, p.text(source), None) for each in asked]
    return order[:3] == [0, None, 1] and "-1" not in p.text(asked[1])


def splits_last(asked, order):
    """`t.view(b, heads, n, d // heads)` of a t of (b, n, d): the last axis is cut, and not put behind n."""
    last = asked[3]
    is_quotient = isinstance(last, ast.BinOp) and isinstance(last.op, ast.FloorDiv)
    return order == [0, None, 1, None] and is_quotient and p.text(last.right) == p.text(asked[1])
