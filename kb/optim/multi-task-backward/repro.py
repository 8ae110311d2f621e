"""A classification and a box loss share one encoder. The first backward() frees the encoder's graph and the second fails; added
up, one backward() serves both."""

import sys

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(16, 32), nn.ReLU())
head_cls = nn.Linear(32, 3)
head_box = nn.Linear(32, 4)
optimizer = torch.optim.SGD([*encoder.parameters(), *head_cls.parameters(), *head_box.parameters()], lr=0.1)
x = torch.randn(64, 16)
y_cls = torch.randint(0, 3, (64,))
y_box = torch.rand(64, 4)


def losses():
    features = encoder(x)
    return F.cross_entropy(head_cls(features), y_cls), F.smooth_l1_loss(head_box(features), y_box)


def broken():
    for _ in range(20):
        loss_cls, loss_box = losses()
        optimizer.zero_grad()
        loss_cls.backward()
        loss_box.backward()
        optimizer.step()


def fixed():
    for _ in range(20):
        loss_cls, loss_box = losses()
        optimizer.zero_grad()
        (loss_cls + loss_box).backward()
        optimizer.step()
    print(f"classification {loss_cls.item():.3f}, box {loss_box.item():.3f}")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
