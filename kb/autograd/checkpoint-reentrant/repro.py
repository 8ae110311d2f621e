"""A trainable layer behind data that require no gradient is checkpointed in the re-entrant form: torch warns, and the layer gets no
gradient. In the other form it does."""

import sys

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def step(use_reentrant):
    body, head = nn.Linear(4, 4), nn.Linear(4, 1)
    x = torch.ones(2, 4)
    head(checkpoint(body, x, use_reentrant=use_reentrant)).sum().backward()
    print(
        "gradient of the body:",
        None if body.weight.grad is None else "there",
        "of the head:",
        head.weight.grad is not None,
    )


def broken():
    step(use_reentrant=True)


def fixed():
    step(use_reentrant=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
