"""A batch norm with the momentum of another library."""

import torch
from torchwhy_watch import Watching

MESSAGES = {
    "momentum": (
        "{layer} has momentum={momentum}: torch counts the new batch's share, so that its statistics are nearly those of the last batch (Keras' 0.99 is 0.01 here)",
        "{layer} 的 momentum={momentum}：torch 的 momentum 是新批次所占的比例，统计量几乎只取决于最后一批（Keras 的 0.99 在这里是 0.01）",
    )
}
LARGE = 0.85


class Guard(Watching):
    layers = (torch.nn.modules.batchnorm._BatchNorm,)

    def on_layer(self, module, counted, args, output):
        if module.training and module.momentum is not None and LARGE <= module.momentum < 1.0:
            self.report("momentum", counted.at, layer=counted.name, momentum=float(module.momentum))
