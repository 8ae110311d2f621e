"""The first layer gets raw magnitudes, or a regression's targets are far from what its outputs can be."""

import torch

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


class Guard:
    until = STEPS

    def __init__(self, watch):
        self.watch, self.first = watch, {}
        self.seen, self.losses = [], {}

    def on_layer(self, module, counted, args, output):
        call = self.watch.call
        if (
            call is None
            or not module._parameters
            or self.watch.step > STEPS
            or not call.grad
            or not call.training
        ):
            return
        if self.first.setdefault(id(call.module()), id(module)) != id(module) or not isinstance(
            module, LAYERS
        ):
            return
        given = args[0] if args else None
        if (
            not isinstance(given, torch.Tensor)
            or given.device.type != "cpu"
            or not given.is_floating_point()
            or not given.numel()
        ):
            return
        mean = float(given.detach().abs().mean())
        if LARGE_MEAN < mean < float("inf"):
            self._keep("input", counted.at, layer=counted.name, mean=mean, largest=float(given.abs().max()))

    def on_loss(self, loss):
        if (
            loss.name not in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
            or self.watch.step > STEPS
        ):
            return
        target = loss.target
        if (
            not loss.grad
            or target.device.type != "cpu"
            or not target.is_floating_point()
            or target.numel() < 4
            or loss.given.grad_fn is None
        ):
            return
        mean, spread, given = (
            float(target.mean()),
            float(target.std()),
            float(loss.given.detach().abs().mean()),
        )
        if (
            max(abs(mean), spread) > LARGE_TARGET
            and given < 0.1 * max(abs(mean), spread)
            and not target.requires_grad
        ):
            self._keep("target", loss.at, loss=loss.name, mean=mean, spread=spread, given=given)

    def _keep(self, key, at, **values):
        if not any(one[:2] == (key, at) for one in self.seen):
            self.seen.append((key, at, values))

    def on_loss_value(self, value, at, step):
        self.losses.setdefault(at, []).append(value)
        del self.losses[at][20:-20]

    def on_end(self):
        """Only where it does harm: a model may do its own scaling, or train well all the same."""
        for values in self.losses.values():
            first, last = values[0], sum(values[-10:]) / len(values[-10:])
            if self.watch.step >= MIN_STEPS and not last < HELPED * first:
                for key, place, told in self.seen:
                    self.watch.report(key, place, step=0, **told)
                return
