"""A model is asked with inputs of another scale than those it learns from."""

import math

from torchwhy_watch import Watching, on_cpu, plain, tensors_in

MESSAGES = {
    "scale": (
        "{model} learns from inputs of mean {mean} and spread {spread}, and is asked here with mean {other_mean} and spread {other_spread}: the same preprocessing is missing",
        "{model} 训练时输入的均值为 {mean}、标准差为 {spread}，这里却是 {other_mean} 和 {other_spread}：缺少同样的预处理",
    ),
}
LOOKS, IN_A_ROW, TRIES = 5, 2, 20
APART, MEANS_APART = 1.8, 3.0  # one spread is so many times the other; the means are so many spreads apart
CERTAIN = 4  # times what the spread of the inputs learnt from varies
LEAST, MOST = 64, 1 << 20  # numbers in an input


class Guard(Watching):
    def begin(self):
        self.learnt, self.asked = {}, {}

    def on_call(self, call, module, args, kwargs):
        learns = call.grad and call.training
        seen = (self.learnt if learns else self.asked).setdefault(id(module), [])
        if len(seen) >= LOOKS or not (learns or len(self.learnt.get(id(module), ())) >= LOOKS):
            return
        if self.in_a_row((id(module), learns)) > TRIES:
            return
        one = next(
            (one for one in tensors_in([args, kwargs]) if plain(one) and on_cpu(one, floating=True)), None
        )
        if one is None or one.grad_fn is not None or not LEAST <= one.numel() <= MOST:
            return
        mean, spread = float(one.detach().float().mean()), float(one.detach().float().std())
        if 0 < spread < math.inf:
            seen.append((mean, spread))
            if (
                not learns
                and self.in_a_row(id(module), is_apart(seen[-1], self.learnt[id(module)])) == IN_A_ROW
            ):
                self._tell(call, self.learnt[id(module)], seen[-1])

    def _tell(self, call, learnt, asked):
        mean, spread = (sum(values) / len(learnt) for values in zip(*learnt))
        told = {"mean": mean, "spread": spread, "other_mean": asked[0], "other_spread": asked[1]}
        self.report("scale", call.at, model=call.counted.name, **told)


def is_apart(asked, learnt):
    means, spreads = zip(*learnt)
    usual, varies = sum(map(math.log, spreads)) / len(spreads), math.log(max(spreads) / min(spreads))
    apart = abs(math.log(asked[1]) - usual) > max(math.log(APART), CERTAIN * varies)
    center, width = sum(means) / len(means), max(*spreads, CERTAIN * (max(means) - min(means)))
    return apart or abs(asked[0] - center) > MEANS_APART * width
