"""The first layer gets raw magnitudes, or a regression's targets are far from what its outputs can be."""

import torch
from torchwhy_watch import FITTING, Watching, on_cpu

MESSAGES = {
    "input": (
        "{layer}, the first layer with weights, gets inputs of mean size {mean} (largest {largest}): scale them to about 1",
        "第一个带权重的层 {layer} 的输入平均大小为 {mean}（最大 {largest}）：请缩放到 1 左右",
    ),
    "target": (
        "the targets of {loss} have mean {mean} and spread {spread}, the outputs {given}: scale the targets to about 1",
        "{loss} 的目标均值 {mean}、标准差 {spread}，而输出约为 {given}：请把目标缩放到 1 左右",
    ),
}
LAYERS = (torch.nn.Linear, torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN)
LARGE_MEAN, LARGE_TARGET, STEPS = 20.0, 100.0, 2
MIN_STEPS, HELPED = 5, 0.25


class Guard(Watching):
    def begin(self):
        self.first, self.seen, self.losses = {}, {}, {}

    def on_layer(self, module, counted, args, output):
        call, given = self.watch.call, args[0] if args else None
        learns = call is not None and call.grad and call.training and self.watch.step <= STEPS
        if not learns or not module._parameters:
            return
        if self.first.setdefault(id(call.module()), id(module)) != id(module) or not isinstance(
            module, LAYERS
        ):
            return
        if isinstance(given, torch.Tensor) and on_cpu(given, floating=True) and given.numel():
            mean = float(given.detach().abs().mean())
            if LARGE_MEAN < mean < float("inf"):
                told = {"layer": counted.name, "mean": mean, "largest": float(given.abs().max())}
                self.seen.setdefault(("input", counted.at), told)

    def on_loss(self, loss):
        given, target = loss.given, loss.target
        if loss.name not in FITTING or self.watch.step > STEPS or not loss.grad or given.grad_fn is None:
            return
        if not on_cpu(target, floating=True) or target.numel() < 4 or target.requires_grad:
            return
        mean, spread, size = float(target.mean()), float(target.std()), float(given.detach().abs().mean())
        if max(abs(mean), spread) > max(LARGE_TARGET, 10 * size):
            told = {"loss": loss.name, "mean": mean, "spread": spread, "given": size}
            self.seen.setdefault(("target", loss.at), told)

    def on_loss_value(self, value, at, step):
        self.losses.setdefault(at, []).append(value)
        del self.losses[at][20:-20]

    def on_end(self):
        """Only where it does harm: a model may do its own scaling, or train well all the same."""
        for values in self.losses.values() if self.watch.step >= MIN_STEPS else ():
            if not sum(values[-10:]) / len(values[-10:]) < HELPED * values[0]:
                for (key, place), told in self.seen.items():
                    self.report(key, place, 0, **told)
                return
