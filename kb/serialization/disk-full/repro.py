"""A checkpoint is saved on a disk that is full, and the run ends; saved where there is room, it goes on."""

import sys
import tempfile

import torch
from torch import nn

FULL = "/dev/full"  # answers every write as a full disk does


def save(model, path):
    with open(path, "wb") as file:
        torch.save(model.state_dict(), file)


def train(path):
    model = nn.Linear(64, 8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.ones(4, 64)).square().mean().backward()
        optimizer.step()
        save(model, path)
    print("three checkpoints saved")


def broken():
    train(FULL)


def fixed():
    with tempfile.NamedTemporaryFile(suffix=".pt") as other_disk:
        train(other_disk.name)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
