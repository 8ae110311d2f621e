"""Features are cached under inference_mode and then used to train a head: autograd may not save inference tensors. Cached under no_grad, the
same features train."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
backbone = nn.Linear(8, 4).to(device)
head = nn.Linear(4, 2).to(device)
x, y = torch.randn(16, 8, device=device), torch.randint(2, (16,), device=device)


def train(mode):
    with mode():
        features = backbone(x)
    loss = nn.functional.cross_entropy(head(features), y)
    loss.backward()
    print(f"loss {loss.item():.3f}")


def broken():
    train(torch.inference_mode)


def fixed():
    train(torch.no_grad)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
