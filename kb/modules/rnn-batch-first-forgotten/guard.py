"""The batch stands where a recurrent layer or an encoder expects the time."""

import torch
from torchwhy_watch import Watching

MESSAGES = {
    "swapped": (
        "{layer} takes {first} for the time and {second} for the batch, but the loss has a batch of {batch}: batch_first=True is missing",
        "{layer} 把 {first} 当作时间、{second} 当作 batch，而损失的 batch 是 {batch}：缺少 batch_first=True",
    )
}
LOOKS = 3


class Guard(Watching):
    layers = (torch.nn.RNNBase, torch.nn.MultiheadAttention)

    def begin(self):
        self.sizes = {}

    def on_layer(self, module, counted, args, output):
        given = args[0] if args and not getattr(module, "batch_first", False) else None
        if isinstance(given, torch.Tensor) and given.dim() == 3:
            self.sizes[id(module)] = (counted, *given.shape[:2])

    def on_loss(self, loss):
        if len(loss.shapes[0]) not in (1, 2):
            return
        batch = loss.shapes[0][0]
        sizes, self.sizes = self.sizes, {}
        for key, (counted, first, second) in sizes.items():
            if first == batch and second not in (batch, 1) and self.in_a_row(key) == LOOKS:
                told = {"first": first, "second": second, "batch": batch}
                self.report("swapped", counted.at, layer=counted.name, **told)
