"""Asked: what a model is given does not reach its result: an argument, all time steps but one, or their order."""

import linecache
import re
from dis import findlinestarts
from itertools import cycle

import torch
from torchwhy_watch import Watching, same

MESSAGES = {
    "argument": (
        "{model} gives the same whatever stands in its argument {name}: it never reaches the result",
        "无论参数 {name} 是什么，{model} 的结果都不变：它没有影响到结果",
    ),
    "order": (
        "{model} gives the same for its {count} tokens in any order: it cannot see their positions",
        "{model} 的 {count} 个 token 无论怎样排列结果都一样：它看不到位置",
    ),
    "one": (
        "of {count} time steps only the {which} reaches the result of {model}, although it reads on through all",
        "{model} 虽然逐步读完了 {count} 个时间步，却只有{which}一个影响结果",
    ),
}
WHICH = ("first", "last")
ATTENTION = (torch.nn.MultiheadAttention, torch.nn.TransformerEncoderLayer)
READS_ON = (torch.nn.RNNBase, torch.nn.MultiheadAttention)
POSITIONS = re.compile(r"(^|[._])(pos|pe|position\w*|pos_\w+)([._]|$)")
FEWEST = 4
NOT_TOLD = re.compile(r"mask|label|target|len|hidden|state|return|train")


class Guard(Watching):
    def on_probe(self, probed):
        for asked in probed.calls:
            given = asked.tensors()
            count = len(given[0]) if given and given[0].dim() else 0
            alike = count >= FEWEST and all(one.dim() and len(one) == count for one in given)
            if alike and asked.is_settled():
                if len(given) > 1 and any(True for _ in asked.model.parameters()):
                    self._arguments(asked, given)
                self._time(asked, given)

    def _arguments(self, asked, given):
        names, usual = names_of(asked), answer(asked)
        half = len(given[0]) // 2
        twice = torch.arange(len(given[0])) % half  # other values, also where all are added up
        for place, (one, name) in enumerate(zip(given, names)):
            binary = one.dtype == torch.bool or len(one.unique()) < 3
            if NOT_TOLD.search(name) or binary or torch.equal(one, one[twice]):
                continue
            change = only(place, len(given), lambda value: value[twice])
            if same(usual, answer(asked, change)):
                self.report("argument", last_line(asked, change), model=asked.call.counted.name, name=name)

    def _time(self, asked, given):
        tokens, parts = given[0], list(asked.model.modules())
        size = tokens.shape[1] if tokens.dim() > 1 else 0
        if size < FEWEST or tokens.dim() > 3:
            return
        usual, model = asked.answer(), asked.call.counted.name
        if any(isinstance(one, READS_ON) for one in parts):
            for which, kept in zip(WHICH, (0, size - 1)):
                if same(usual, asked.answer(lambda one: others_at(one, size, kept))):
                    self.report("one", asked.call.at, count=size, which=which, model=model)
                    return
        # one without positions may be meant to read a set
        at = line_of_positions(asked.model) if any(isinstance(one, ATTENTION) for one in parts) else None
        if at is not None and sees_no_order(asked, tokens, size, usual):
            self.report("order", at, model=model, count=size)


def line_of_positions(model):
    """The line, (path, number), of a forward that uses what is named after positions; None without one."""
    for owner in reversed(list(model.modules())):  # a table's own line before that of what holds it
        named = (*owner._modules, *owner._buffers, *owner._parameters)
        code = getattr(type(owner).forward, "__code__", None)
        for name in filter(POSITIONS.search, named) if code is not None else ():
            for _, line in findlinestarts(code):
                if line and re.search(r"self\.%s\b" % name, linecache.getline(code.co_filename, line)):
                    return code.co_filename, line
    return None


def last_line(asked, change):
    """The last line whose result changes with what goes in; that of `def forward` where none does."""
    code, told = type(asked.model).forward.__code__, ([], [])
    for lines, one in zip(told, (None, change)):
        answer(asked, one, lines)
    found = code.co_filename, code.co_firstlineno
    for (path, line, before), (_, _, after) in zip(*told):
        if len(before) == len(after) and not same(before, after):
            found = path, line
    return found


def sees_no_order(asked, tokens, size, usual):
    order = torch.arange(size).flip(0)
    if torch.equal(tokens, tokens[:, order]):
        return False

    def turned(one):
        return one[:, order] if one.dim() > 1 and one.shape[1] == size else one

    found = asked.answer(turned)
    return same(usual, found) or same([turned(one) for one in usual], found)


def others_at(one, size, kept):
    """Another sample's values at all time steps but this one."""
    if one.dim() < 2 or one.shape[1] != size:
        return one
    changed = one.roll(1, 0)
    changed[:, kept] = one[:, kept]
    return changed


def answer(asked, change=None, lines=None):
    """In training mode, where a model may read more than in evaluation; the same random numbers each time."""
    asked.model.train()
    modes, asked.model.eval = asked.model.eval, lambda: asked.model
    try:
        return asked.answer(change, lines=lines)
    finally:
        asked.model.eval = modes


def only(place, count, change):
    """A change of one of so many tensors that go in."""
    places = cycle(range(count))
    return lambda one: change(one) if next(places) == place else one


def names_of(asked):
    """The names of the parameters that the tensors are given for; [] where they are nested in something."""
    if not all(isinstance(one, torch.Tensor) for one in (*asked.args, *asked.kwargs.values())):
        return []
    code = type(asked.model).forward.__code__
    return [*code.co_varnames[1 : 1 + len(asked.args)], *asked.kwargs]
