"""Labels are random, so nothing can be learned. Copying the rare class before the split puts the same samples into both parts, and the nearest
neighbour "recognises" them; splitting first and copying only the training samples shows the truth: chance."""

import json
import sys

import torch

torch.manual_seed(0)
x = torch.randn(600, 20)
y = (torch.rand(600) < 0.1).long()  # one in ten, at random


def oversample(x, y):
    rare = (y == 1).nonzero().flatten().repeat(8)
    return torch.cat([x, x[rare]]), torch.cat([y, y[rare]])


def split(x, y):
    order = torch.randperm(len(x))
    train, held_out = order[: len(x) // 2], order[len(x) // 2 :]
    return x[train], y[train], x[held_out], y[held_out]


def report(train_x, train_y, val_x, val_y):
    predicted = train_y[torch.cdist(val_x, train_x).argmin(1)]
    recalls = [(predicted[val_y == label] == label).float().mean().item() for label in (0, 1)]
    accuracy = sum(recalls) / 2
    print(json.dumps({"balanced_accuracy": accuracy, "chance": 0.5}))
    if accuracy > 0.75:
        sys.exit(f"symptom: balanced accuracy {accuracy:.2f} in validation, of labels that are random")


def broken():
    report(*split(*oversample(x, y)))


def fixed():
    train_x, train_y, val_x, val_y = split(x, y)
    report(*oversample(train_x, train_y), val_x, val_y)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
