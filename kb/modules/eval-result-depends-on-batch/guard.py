"""In evaluation mode a sample's result changes with the samples beside it, which do not belong to it."""

import torch
from torchwhy_watch import CLASSIFYING, Watching, same

MESSAGES = {
    "company": (
        "what {model} gives for a sample changes with the other samples of its batch, in eval mode too: a softmax, mean or norm over dimension 0?",
        "{model} 对一个样本的结果随同批的其他样本而变，eval 模式下也是如此：是否有 softmax、均值或归一化用在了第 0 维上？",
    ),
}
FEWEST = 4  # samples


class Guard(Watching):
    def on_probe(self, probed):
        for asked in probed.calls:
            given = asked.tensors()
            count = len(given[0]) if given and given[0].dim() else 0
            if count >= FEWEST and all(one.dim() and len(one) == count for one in given):
                if asked.of_loader or one_class_each(probed.loss, count):
                    self._company(asked, count)

    def _company(self, asked, count):
        alone = asked.answer()
        if not asked.is_settled() or not all(places_of(one, count) == [0] for one in alone):
            return  # a table of pairs is of all samples
        backwards = torch.arange(count).flip(0)
        if not same([one[backwards] for one in alone], asked.answer(lambda one: one[backwards])):
            return  # they have an order, or a graph between them
        others = torch.arange(count) % (count // 2)
        changed, own = (lambda one: one[others]), part_of(count)
        if not same([own(one) for one in alone], [own(one) for one in asked.answer(changed)]):
            self.report("company", asked.first_line(None, changed, own), model=asked.call.counted.name)


def places_of(tensor, count):
    return [place for place, size in enumerate(tensor.shape) if size == count]


def part_of(count):
    """Takes the first half of the samples."""
    return lambda one: (
        one[: count // 2] if one.dim() and len(one) == count else one[:0] if one.dim() else one * 0
    )


def one_class_each(loss, count):
    """Whether a loss compares each sample with a class of its own."""
    return loss is not None and loss.name in CLASSIFYING and loss.shapes[1] == (count,)
