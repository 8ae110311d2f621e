"""The gradients of all parameters are asked for, but the loss uses only one of two heads. allow_unused=True gives None for
the other one."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
trunk, head_a, head_b = (nn.Linear(8, 8).to(device), nn.Linear(8, 3).to(device), nn.Linear(8, 1).to(device))
parameters = [*trunk.parameters(), *head_a.parameters(), *head_b.parameters()]


def inner_step(**options):
    x, y = torch.randn(16, 8, device=device), torch.randint(3, (16,), device=device)
    loss = nn.functional.cross_entropy(head_a(torch.relu(trunk(x))), y)
    gradients = torch.autograd.grad(loss, parameters, **options)
    updated = [p if g is None else p - 0.1 * g for p, g in zip(parameters, gradients)]
    print("updated", sum(g is not None for g in gradients), "of", len(updated), "tensors")


def broken():
    inner_step()


def fixed():
    inner_step(allow_unused=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
