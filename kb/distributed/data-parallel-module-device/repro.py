"""A model on cuda:1 cannot be called through DataParallel(device_ids=[0, 1]); on the first of the ids it can."""

import sys

import torch
from torch import nn


def train(home):
    if torch.cuda.device_count() < 2:
        print("needs two GPUs", file=sys.stderr)
        sys.exit(125)
    model = nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 4)).to(home)
    parallel = nn.DataParallel(model, device_ids=[0, 1])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for _ in range(3):
        x, target = torch.randn(32, 16, device="cuda:0"), torch.randint(4, (32,), device="cuda:0")
        loss = nn.functional.cross_entropy(parallel(x), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def broken():
    train("cuda:1")


def fixed():
    train("cuda:0")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
