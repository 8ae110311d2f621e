"""The backbone joins the optimizer as a new parameter group in mid-training, but the learning-rate scheduler was made for one group
and fails at its next step. A scheduler made after that knows both."""

import sys

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
head = nn.Linear(16, 2)
x = torch.randn(64, 8)
y = (x.sum(1) > 0).long()


def fine_tune(scheduler_for_both_groups):
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    scheduler = LambdaLR(optimizer, lambda epoch: 0.9**epoch)
    for epoch in range(4):
        if epoch == 2:
            optimizer.add_param_group({"params": backbone.parameters(), "lr": 0.01})
            scheduler = scheduler_for_both_groups(optimizer, scheduler)
        loss = nn.functional.cross_entropy(head(backbone(x)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    print("learning rates", [round(group["lr"], 5) for group in optimizer.param_groups])


def broken():
    fine_tune(lambda optimizer, scheduler: scheduler)


def fixed():
    fine_tune(lambda optimizer, scheduler: LambdaLR(optimizer, lambda epoch: 0.9 ** (epoch + 2)))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
