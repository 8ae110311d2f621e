"""Self-attention puts its heads back together with view() right after transpose(); the transposed tensor is not contiguous.
With contiguous() in between the same view() works."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, copy, width=32, heads=4):
        super().__init__()
        self.copy, self.heads = copy, heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        batch, steps, width = x.shape
        q, k, v = self.qkv(x).reshape(batch, steps, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        weights = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1)
        joined = (weights @ v).transpose(
            1, 2
        )  # (batch, steps, heads, width of a head), memory still head by head
        if self.copy:
            joined = joined.contiguous()
        return self.out(joined.view(batch, steps, width))


def run(copy):
    y = Attention(copy).to(device)(torch.randn(2, 10, 32, device=device))
    print(tuple(y.shape))


def broken():
    run(copy=False)


def fixed():
    run(copy=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
