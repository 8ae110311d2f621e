"""A logger replaces optimizer.step after the scheduler was made: the scheduler cannot see the steps any more and warns. Made last,
it wraps the logger."""

import sys
import types

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
x = torch.randn(32, 4)
y = x.sum(1, keepdim=True)


def add_logging(optimizer):
    step = optimizer.step

    def logged_step(self, closure=None):
        norm = torch.cat([p.grad.flatten() for group in self.param_groups for p in group["params"]]).norm()
        print(f"gradient norm {norm.item():.3f}")
        return step(closure)

    optimizer.step = types.MethodType(logged_step, optimizer)


def train(optimizer, scheduler):
    for _ in range(3):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        scheduler.step()


def broken():
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
    add_logging(optimizer)
    train(optimizer, scheduler)


def fixed():
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    add_logging(optimizer)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1)
    train(optimizer, scheduler)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
