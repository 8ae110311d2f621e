"""Weights against imbalance that are those of something else, or make the frequent class still heavier."""

import torch
from torch.utils.data import WeightedRandomSampler
from torchwhy_watch import Watching, on_cpu, plain

MESSAGES = {
    "length": (
        "the sampler has {count} weights and the data set {size} items: it draws the first {count} alone; it takes a weight for each item, class_weights[labels]",
        "采样器有 {count} 个权重，而数据集有 {size} 个样本：只会抽到前 {count} 个；每个样本要一个权重，即 class_weights[labels]",
    ),
    "draws": (
        "the sampler's weights are larger the more items have them: {most} items with {heavy}, {fewest} with {light}; the frequent class is drawn still more often",
        "采样器的权重随样本数增多而变大：{most} 个样本的权重是 {heavy}，{fewest} 个是 {light}；常见类别被抽得更多",
    ),
    "loss": (
        "class {often} has {most} of {count} targets and weight {heavy}, class {rare} has {fewest} and {light}: the weights favor what is frequent already",
        "类别 {often} 占 {count} 个目标中的 {most} 个，权重 {heavy}；类别 {rare} 只有 {fewest} 个，权重 {light}：权重偏向了本来就多的类别",
    ),
    "positive": (
        "{share}% of the targets are positive and pos_weight is {weight}: it is the number of negatives for each positive, here {right}",
        "正样本占 {share}%，而 pos_weight 是 {weight}：它应是负样本数除以正样本数，这里为 {right}",
    ),
}
ENOUGH, MAX_CLASSES, APART, ALIKE = 200, 100, 2.0, 0.9


class Guard(Watching):
    def begin(self):
        self.counts, self.shares = {}, {}

    def on_loader(self, loader, at):
        sampler, size = loader.sampler, getattr(loader.dataset, "__len__", None)
        if type(sampler) is not WeightedRandomSampler or size is None:
            return
        weights, size = sampler.weights, size()
        made = self.watch.line_that_made("WeightedRandomSampler", at)
        if len(weights) != size:
            self.report("length", made, count=len(weights), size=size)
            return
        values, counts = weights.unique(return_counts=True)
        if 2 <= len(values) <= MAX_CLASSES and rise_together(values, counts):
            most, fewest = int(counts.argmax()), int(counts.argmin())
            told = {"most": int(counts[most]), "fewest": int(counts[fewest])}
            self.report("draws", made, heavy=float(values[most]), light=float(values[fewest]), **told)

    def on_loss(self, loss):
        weight, target = loss.options.get("weight"), loss.target
        if loss.name == "cross_entropy" and weight is not None and on_cpu(weight) and target.dim() == 1:
            if target.dtype == torch.long and plain(target):
                self._classes(loss, weight, target)
        weight = loss.options.get("pos_weight")
        if weight is not None and weight.numel() == 1 and plain(target) and on_cpu(target, floating=True):
            self._positives(loss, float(weight), target)

    def _classes(self, loss, weight, target):
        counted = target[(target >= 0) & (target < len(weight))].bincount(minlength=len(weight))
        counts = self.counts[loss.at] = self.counts.get(loss.at, 0) + counted
        seen = counts > 0
        if counts.sum() >= ENOUGH and seen.sum() > 1 and rise_together(weight[seen], counts[seen]):
            often = int(counts.argmax())
            rare = int(torch.where(seen, counts, counts.max() + 1).argmin())
            told = {"count": int(counts.sum()), "most": int(counts[often]), "fewest": int(counts[rare])}
            told.update(heavy=float(weight[often]), light=float(weight[rare]))
            self.report("loss", loss.at, often=often, rare=rare, **told)

    def _positives(self, loss, weight, target):
        before, count = self.shares.get(loss.at, (0.0, 0))
        positive, count = self.shares[loss.at] = before + float(target.sum()), count + target.numel()
        if count >= ENOUGH and 0 < positive < count:
            right = (count - positive) / positive
            # turned over: as far from 1 on the other side
            if (right > APART and weight < 1 / APART) or (right < 1 / APART and weight > APART):
                self.report("positive", loss.at, share=100 * positive / count, weight=weight, right=right)


def rise_together(weights, counts):
    """Whether the weights grow with the counts, and both differ by much."""
    if bool((weights <= 0).any()) or float(counts.max()) < APART * float(counts.min()):
        return False
    one, two = weights.double().log(), counts.double().log()
    one, two = one - one.mean(), two - two.mean()
    together = (one * two).sum() / (one.norm() * two.norm()).clamp(min=1e-12)
    return bool(together > ALIKE and weights.max() > 1.2 * weights.min())
