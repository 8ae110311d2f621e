"""A gradient penalty through a transformer layer: the fused attention kernel has no second derivative. With the math kernel it trains."""

import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel


def penalty(kernels):
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(16, 2, dropout=0.0, batch_first=True)
    x = torch.randn(2, 5, 16, requires_grad=True)
    with sdpa_kernel(kernels):
        y = layer(x)[..., 0].sum()
    (grad,) = torch.autograd.grad(y, x, create_graph=True)
    loss = ((grad.norm() - 1) ** 2).sum()
    loss.backward()
    print("penalty", loss.item(), "gradient of the weights", layer.linear1.weight.grad.norm().item())


def broken():
    penalty([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH])


def fixed():
    penalty([SDPBackend.MATH])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
