"""A learnable prompt is scaled and moved after nn.Parameter(...): the result is no leaf, and the optimizer refuses it. Scaled and
moved first, it is one."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Linear(8, 1).to(device).requires_grad_(False)
x = torch.randn(32, 8, device=device)


def learn(prompt):
    optimizer = torch.optim.Adam([prompt], lr=0.05)
    for _ in range(50):
        loss = (model(x + prompt) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


def broken():
    learn((nn.Parameter(torch.randn(8)) * 0.02).to(device))


def fixed():
    learn(nn.Parameter((torch.randn(8) * 0.02).to(device)))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
