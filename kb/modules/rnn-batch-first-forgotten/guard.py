"""The batch stands where a recurrent layer or an encoder expects the time."""

import torch

MESSAGES = {
    "swapped": (
        "{layer} takes {first} for the time and {second} for the batch, but the loss has a batch of {batch}: batch_first=True is missing",
        "{layer} 把 {first} 当作时间、{second} 当作 batch，而损失的 batch 是 {batch}：缺少 batch_first=True",
    )
}
LOOKS = 3


class Guard:
    layers = (torch.nn.RNNBase, torch.nn.MultiheadAttention)

    def __init__(self, watch):
        self.watch, self.sizes, self.looks = watch, {}, {}

    def on_layer(self, module, counted, args, output):
        self._note(module, counted, args)

    def _note(self, module, counted, args):
        if getattr(module, "batch_first", False):
            return
        given = args[0] if args else None
        if isinstance(given, torch.Tensor) and given.dim() == 3:
            self.sizes[id(module)] = (counted, tuple(given.shape[:2]))

    def on_loss(self, loss):
        if not self.watch.looking or len(loss.shapes[0]) not in (1, 2):
            return
        batch = loss.shapes[0][0]
        sizes, self.sizes = self.sizes, {}
        for key, (counted, (first, second)) in sizes.items():
            if first == batch and second not in (batch, 1):
                looks = self.looks[key] = self.looks.get(key, 0) + 1
                if looks == LOOKS:
                    self.watch.report(
                        "swapped", counted.at, layer=counted.name, first=first, second=second, batch=batch
                    )
