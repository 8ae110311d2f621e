"""OneCycleLR gets its length in epochs and is stepped for every batch: it refuses the step after its last one. Its length in batches lets the same loop end."""

import sys

import torch
from torch import nn

EPOCHS, BATCHES = 3, 4


def train(total_steps):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=total_steps)
    for _ in range(EPOCHS * BATCHES):
        optimizer.zero_grad()
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        scheduler.step()
    print("last learning rate", scheduler.get_last_lr())


def broken():
    train(total_steps=EPOCHS)


def fixed():
    train(total_steps=EPOCHS * BATCHES)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
