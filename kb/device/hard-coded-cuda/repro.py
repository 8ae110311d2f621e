"""A script that calls .cuda() everywhere, run where no GPU is visible (a GPU that is there is hidden first)."""

import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import torch
from torch import nn


def train(model, x, y):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    print("loss", loss.item())


def broken():
    model = nn.Linear(8, 3).cuda()
    train(model, torch.randn(16, 8).cuda(), torch.randint(3, (16,)).cuda())


def fixed():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(8, 3).to(device)
    train(model, torch.randn(16, 8).to(device), torch.randint(3, (16,)).to(device))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
