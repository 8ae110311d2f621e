"""Attention in float32 with dropout, and only the flash kernel allowed: the GPU's takes no float32, the CPU's no dropout. A fallback in the list cures it."""

import sys

import torch
from torch import nn

try:
    from torch.nn.attention import SDPBackend, sdpa_kernel
except ImportError:
    print("needs torch.nn.attention (torch 2.3)", file=sys.stderr)
    sys.exit(125)

device = "cuda" if torch.cuda.is_available() else "cpu"


class SelfAttention(nn.Module):
    def __init__(self, size=32, heads=4):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(size, 3 * size)

    def forward(self, x, backends):
        batch, length, size = x.shape
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        with sdpa_kernel(backends):
            out = nn.functional.scaled_dot_product_attention(q, k, v, dropout_p=0.1)
        return out.transpose(1, 2).reshape(batch, length, size)


def train(backends):
    model = SelfAttention().to(device)
    x = torch.randn(2, 16, 32, device=device)
    for _ in range(2):
        model(x, backends).square().mean().backward()
    print("trained")


def broken():
    train([SDPBackend.FLASH_ATTENTION])


def fixed():
    train([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
