"""With a CPU-only build the model cannot go to "cuda", whatever the machine has; the same loop runs on the device that the build supports."""

import sys

import torch
from torch import nn


def train(device):
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        x, target = torch.randn(4, 8, device=device), torch.randint(2, (4,), device=device)
        loss = nn.functional.cross_entropy(model(x), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def broken():
    train("cuda")


def fixed():
    train("cuda" if torch.cuda.is_available() else "cpu")


if __name__ == "__main__":
    if torch.version.cuda is not None or getattr(torch.version, "hip", None):
        print("this torch is not a CPU-only build", file=sys.stderr)
        sys.exit(125)
    fixed() if "--fixed" in sys.argv[1:] else broken()
