"""A batch norm whose parameters are frozen, in a model that is trained, goes on averaging."""

import torch
from torchwhy_watch import Watching, own_parameters

MESSAGES = {
    "moves": (
        "{count} batch-norm layers have frozen parameters and stay in training mode: their running statistics go on changing (call eval() on them)",
        "{count} 个 BatchNorm 层的参数已冻结，却仍处于训练模式：滑动统计量继续变化（应对它们调用 eval()）",
    )
}
STEPS = 3


class Guard(Watching):
    def on_stepped(self, stepped, at):
        if stepped.steps != STEPS:
            return
        held = self.watch.trained()
        modules = list(self.watch.modules.values())
        learning = {
            one.root
            for one in modules
            if one.calls and any(id(own) in held and own.grad is not None for own in own_parameters(one))
        }
        moving = [one for one in modules if one.root in learning and moves(one.ref())]
        if moving:
            self.report("moves", moving[0].at, count=len(moving))


def moves(module):
    """Whether it is a batch norm with frozen parameters that goes on averaging."""
    if not isinstance(module, torch.nn.modules.batchnorm._BatchNorm) or not module.affine:
        return False
    frozen = not module.weight.requires_grad and not module.bias.requires_grad
    return frozen and module.training and module.track_running_stats
