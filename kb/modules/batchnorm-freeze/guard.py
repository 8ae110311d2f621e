"""A batch norm whose parameters are frozen, in a model that is trained, goes on averaging."""

import torch

MESSAGES = {
    "moves": (
        "{count} batch-norm layers have frozen parameters and stay in training mode: their running statistics go on changing (call eval() on them)",
        "{count} 个 BatchNorm 层的参数已冻结，却仍处于训练模式：滑动统计量继续变化（应对它们调用 eval()）",
    )
}
STEPS = 3


class Guard:
    def __init__(self, watch):
        self.watch = watch

    def on_stepped(self, stepped, at):
        if stepped.steps != STEPS:
            return
        held = self.watch.trained()
        learning = {one.root for one in self.watch.modules.values() if one.calls and self._learns(one, held)}
        moving = [
            one for one in list(self.watch.modules.values()) if one.root in learning and self._moves(one)
        ]
        if moving:
            self.watch.report("moves", moving[0].at, count=len(moving))

    @staticmethod
    def _learns(counted, held):
        module = counted.ref()
        return module is not None and any(
            id(one) in held and one.grad is not None for one in module.parameters(recurse=False)
        )

    @staticmethod
    def _moves(counted):
        module = counted.ref()
        return (
            isinstance(module, torch.nn.modules.batchnorm._BatchNorm)
            and module.training
            and module.track_running_stats
            and module.affine
            and not module.weight.requires_grad
            and not module.bias.requires_grad
        )
