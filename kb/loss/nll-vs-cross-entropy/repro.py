"""A 10-class network that ends in a softmax is trained with CrossEntropyLoss, which does a softmax of its own: the loss
cannot fall below 1.46. The same network without it learns the same data."""

import json
import math
import sys

import torch
from torch import nn

torch.set_num_threads(1)  # the tensors are tiny
classes = 10


def train(*last_layer):
    torch.manual_seed(0)
    centres = torch.randn(classes, 20) * 3
    target = torch.arange(500) % classes
    x = centres[target] + torch.randn(500, 20) * 0.5
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, classes), *last_layer)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(100):
        loss = criterion(model(x), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    floor = math.log(math.e + classes - 1) - 1
    accuracy = (model(x).argmax(1) == target).float().mean().item()
    print(
        json.dumps({"loss": round(loss.item(), 4), "floor": round(floor, 4), "accuracy": round(accuracy, 3)})
    )
    if loss.item() > floor - 0.01:
        sys.exit(
            f"symptom: the loss is stuck above {floor:.2f} after 100 steps, at an accuracy of {accuracy:.0%}"
        )


def broken():
    train(nn.Softmax(dim=1))


def fixed():
    train()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
