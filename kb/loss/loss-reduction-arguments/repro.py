"""Per-sample losses are wanted so that padding can be masked out, but "none" is passed by position and lands in
size_average: torch warns, and the mask no longer has any effect."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
class_weights = torch.ones(5)
logits = torch.randn(8, 5, requires_grad=True)
target = torch.randint(0, 5, (8,))
mask = torch.tensor([1.0, 1, 1, 1, 0, 0, 0, 0])  # the second half is padding


def masked_loss(criterion):
    losses = criterion(logits, target)
    loss = (losses * mask).sum() / mask.sum()
    loss.backward()
    print(
        f"losses of shape {tuple(losses.shape)}, gradient of the padding {logits.grad[4:].abs().max().item():.4f}"
    )


def broken():
    masked_loss(nn.CrossEntropyLoss(class_weights, "none"))


def fixed():
    masked_loss(nn.CrossEntropyLoss(weight=class_weights, reduction="none"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
