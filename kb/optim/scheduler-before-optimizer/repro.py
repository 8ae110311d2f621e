"""The epoch loop starts with scheduler.step(), as it was written before PyTorch 1.1: torch warns, and the learning rate falls
one epoch early."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.1)
x = torch.randn(32, 4)
y = x.sum(1, keepdim=True)


def train_one_epoch(epoch):
    print(f"epoch {epoch}: lr {optimizer.param_groups[0]['lr']:.3g}")
    for batch, target in zip(x.split(8), y.split(8)):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(batch), target).backward()
        optimizer.step()


def broken():
    for epoch in range(6):
        scheduler.step()
        train_one_epoch(epoch)


def fixed():
    for epoch in range(6):
        train_one_epoch(epoch)
        scheduler.step()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
