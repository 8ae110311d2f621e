"""A checkpointed block keeps a cache that grows with each call, as a language model does with use_cache: the recomputation sees a longer
sequence than the forward pass. Without the cache both runs are equal."""

import sys

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, use_cache):
        super().__init__()
        self.linear = nn.Linear(8, 8)
        self.use_cache, self.past = use_cache, None

    def forward(self, x):
        if self.use_cache:
            x = x if self.past is None else torch.cat([self.past, x], dim=1)
            self.past = x.detach()
        return torch.sigmoid(self.linear(x))


def step(use_cache):
    x = torch.randn(2, 4, 8, requires_grad=True)
    checkpoint(Block(use_cache), x, use_reentrant=False).sum().backward()
    print("gradient:", tuple(x.grad.shape))


def broken():
    step(use_cache=True)


def fixed():
    step(use_cache=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
