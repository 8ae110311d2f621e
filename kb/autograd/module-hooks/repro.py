"""The gradient of a residual block's input is wanted from a backward hook. register_backward_hook shows the gradients of
the last addition instead and warns; register_full_backward_hook gives the gradient of the input."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(6, 6)

    def forward(self, x):
        return x + torch.tanh(self.inner(x))


block = Block().to(device)


def gradient_of_input(register):
    seen = []
    handle = register(lambda module, grad_input, grad_output: seen.extend(grad_input))
    x = torch.randn(4, 6, device=device, requires_grad=True)
    block(x).square().sum().backward()
    handle.remove()
    print(len(seen), "gradients; the first is that of x:", torch.equal(seen[0], x.grad))


def broken():
    gradient_of_input(block.register_backward_hook)


def fixed():
    gradient_of_input(block.register_full_backward_hook)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
