"""An exponential moving average of parameters() alone: the copy's batch norm still has mean 0 and variance 1, and its answers are far off. With the buffers it agrees with the model."""

import copy
import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
x = 5 + 2 * torch.randn(512, 4)
y = (x[:, 0] > 5).long()


def train(with_buffers):
    model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
    average = copy.deepcopy(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(150):
        rows = torch.randint(len(x), (64,))
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()
        with torch.no_grad():
            for kept, new in zip(average.parameters(), model.parameters()):
                kept.lerp_(new, 0.05)
            for kept, new in zip(average.buffers(), model.buffers()) if with_buffers else ():
                kept.copy_(new)
    model.eval(), average.eval()
    with torch.no_grad():
        own, other = ((one(x).argmax(1) == y).float().mean().item() for one in (model, average))
    print(json.dumps({"accuracy": round(own, 3), "accuracy_of_the_average": round(other, 3)}))
    if other < own - 0.2:
        sys.exit(f"symptom: the averaged copy has accuracy {other:.2f}, the model itself {own:.2f}")


def broken():
    train(with_buffers=False)


def fixed():
    train(with_buffers=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
