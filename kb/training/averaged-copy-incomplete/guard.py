"""A copy of the model follows its weights, and lacks the statistics of its batch norms; or does not average."""

import linecache
import re

import torch
from torchwhy_watch import Watching, plain

MESSAGES = {
    "untouched": (
        "the weights of this copy follow those of the model that is trained, but {name} still holds what it began with: copy the buffers as well",
        "这个副本的权重跟随正在训练的模型，而 {name} 仍是初值：缓冲区也要一并复制",
    ),
    "behind": (
        "the weights of this copy follow those of the model that is trained, but its batch norms have stood still for {steps} batches: copy the buffers too, or call update_bn",
        "这个副本的权重跟随正在训练的模型，而它的 BatchNorm 统计量已有 {steps} 个 batch 没有更新：缓冲区也要复制，或调用 update_bn",
    ),
    "swapped": (
        "this copy is meant to follow the model slowly, and takes {share}% of the way in each step: the two factors of the average are swapped",
        "这个副本本应缓慢跟随模型，却每一步就走完了 {share}% 的距离：平均的两个系数写反了",
    ),
}
BEHIND, FOLLOWS, SWAPPED, STEPS = 20, 0.5, 0.9, 6
UPDATE = re.compile(r"zip\(.*parameters\(\).*parameters\(\)")
NORM = torch.nn.modules.batchnorm._BatchNorm


class Guard(Watching):
    def begin(self):
        self.before, self.swaps = {}, {}

    def on_call(self, call, module, args, kwargs):
        if call.training and call.grad:
            return
        found = self._trained_twin(module)
        if found is None:
            return
        copy, model = found
        moved = self._moved(copy, model, call.at)
        if not call.training and moved:
            self._look_at_norms(copy, model, call.at)

    def _trained_twin(self, module):
        """(the part that is a copy, the trained model of its class), where the call is none of that model."""
        trained = self.watch.trained()
        models = [one.ref() for one in list(self.watch.roots.values())]
        models = [
            one for one in models if one is not None and any(id(each) in trained for each in one.parameters())
        ]
        own = {id(one) for one in module.parameters()}
        if not own or own & trained:
            return None
        for part in module.modules():
            for model in models:
                if type(part) is type(model) and shapes_of(part) == shapes_of(model):
                    return part, model
        return None

    def _moved(self, copy, model, at):
        """Whether the copy's weights follow the model's: they are near them and not equal, or have changed."""
        one, other = (vector_of(each) for each in (copy, model))
        if one is None or other is None:
            return False
        before = self.before.get(id(copy))
        self.before[id(copy)] = one, other, self.watch.step
        if before is None:
            return bool(
                torch.nn.functional.cosine_similarity(one, other, dim=0) > FOLLOWS
            ) and not torch.equal(one, other)
        self._share(copy, before, one, other, at)
        return not torch.equal(before[0], one)

    def _share(self, copy, before, one, other, at):
        """Which share of the way to the model it went in this step."""
        gap = other - before[0]
        if self.watch.step != before[2] + 1 or not float(gap.norm()) or torch.equal(one, before[0]):
            return
        share = float((one - before[0]) @ gap / (gap @ gap))
        if self.in_a_row(id(copy), SWAPPED < share < 1 - 1e-4) >= STEPS and self.watch.step > 50:
            self.report("swapped", line_of_update(at), share=100 * share)

    def _look_at_norms(self, copy, model, at):
        for (name, one), other in zip(copy.named_modules(), model.modules()):
            if isinstance(one, NORM) and one.running_mean is not None and one.num_batches_tracked is not None:
                own, theirs = int(one.num_batches_tracked), int(other.num_batches_tracked)
                if theirs - own < BEHIND or torch.equal(one.running_mean, other.running_mean):
                    continue
                if not own and not bool(one.running_mean.any()):
                    self.report("untouched", line_of_update(at), name=name + ".running_mean")
                else:
                    self.report("behind", line_of_update(at), steps=theirs - own)
                return


def line_of_update(at):
    """The line of the file that goes through the parameters of both, if there is one; else `at`."""
    lines = [number for number, line in enumerate(linecache.getlines(at[0]), 1) if UPDATE.search(line)]
    return (at[0], lines[0]) if len(lines) == 1 else at


def shapes_of(module):
    return [(name, tuple(one.shape)) for name, one in module.named_parameters()]


def vector_of(module):
    """A few hundred of a module's weights."""
    parts = [
        one.detach().flatten()[:64].float() for one in module.parameters() if plain(one) and one.dim() > 1
    ]
    return torch.cat(parts[:8]) if parts and all(one.device.type == "cpu" for one in parts) else None
