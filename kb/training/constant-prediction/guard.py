"""What goes into the loss is the same for every sample while the targets differ; a ReLU whose units never fire."""

from math import isfinite

import torch
from torchwhy_watch import Watching, on_cpu

MESSAGES = {
    "same": (
        "the model gives all {count} samples of a batch the same output (spread {spread}), in {looks} looks, though their targets differ",
        "模型对批内 {count} 个样本给出相同的输出（离散度 {spread}），已连续 {looks} 次，而目标各不相同",
    ),
    "dead": (
        "{dead} of the {units} units of this ReLU gave 0 for all of {samples} samples, up to step {total}: they are dead and learn no more",
        "此 ReLU 的 {units} 个单元中有 {dead} 个对 {samples} 个样本全部输出 0（截至第 {total} 步）：这些单元已死，不再学习",
    ),
}
LOOKS, LEAST_BATCH, SAME = 5, 4, 1e-6
DEAD_SHARE, LEAST_UNITS, LEAST_SAMPLES, DEAD_LOOKS = 0.9, 16, 500, 8


class Guard(Watching):
    layers = (torch.nn.ReLU,)

    def begin(self):
        self.fired = {}

    def on_layer(self, module, counted, args, output):
        """Rectified units: which of them fired for any sample. A layer that is used in
        several places counts for all of them together, if these are of one width."""
        call, step = self.watch.call, self.watch.step
        if type(module) is not torch.nn.ReLU or call is None or not (call.grad and call.training):
            return
        if not on_cpu(output) or output.dim() not in (2, 4) or not 0 < output.numel() <= 1 << 20:
            return
        if output.shape[1] < LEAST_UNITS:
            return
        fired = output.detach().amax((0, 2, 3) if output.dim() == 4 else 0) > 0
        units, samples, steps = self.fired.get(counted, (fired, 0, frozenset()))
        if units.shape == fired.shape:
            units, samples, steps = units | fired, samples + output.shape[0], steps | {step}
        if samples >= LEAST_SAMPLES and len(steps) >= DEAD_LOOKS:
            dead = int((~units).sum())
            if dead >= DEAD_SHARE * len(units):
                self.report("dead", counted.at, dead=dead, units=len(units), samples=samples, total=step)
            units, samples, steps = fired, 0, frozenset()
        self.fired[counted] = units, samples, steps

    def on_loss(self, loss):
        watch, given = self.watch, loss.given
        if watch.step < 2 or not loss.grad or given.grad_fn is None or not on_cpu(given):
            return
        if given.dim() < 1 or given.shape[0] < LEAST_BATCH or given.numel() > 1 << 20:
            return
        rows, target = given.detach().float().reshape(given.shape[0], -1), loss.target.detach()
        spread = float((rows.max(0)[0] - rows.min(0)[0]).max())
        varied = target.numel() > 0 and bool((target != target.flatten()[0]).any())
        # a pair that is masked with -inf is far from the others
        same = isfinite(spread) and spread <= SAME * (1.0 + float(rows.abs().max()))
        if self.in_a_row(loss.at, same and varied) == LOOKS:
            self.report("same", loss.at, count=given.shape[0], spread=spread, looks=LOOKS)
