"""Two machines list the same files in another order, so one seed splits them differently and the trained weights differ. With the names sorted
first the two agree."""

import json
import sys

import torch
from torch import nn


def train(names):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    data = {f"{number:03}.jpg": torch.tensor([number / 100.0]) for number in range(100)}
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(0)).tolist()
    x = torch.stack([data[names[at]] for at in order[:10]])  # the training part
    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(20):
        loss = (model(x) - x.square()).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def compare(prepared):
    names = [f"{number:03}.jpg" for number in range(100)]
    other = names[::2] + names[1::2]  # as another file system lists them
    first, second = train(prepared(names)), train(prepared(other))
    print(json.dumps({"loss_here": round(first, 5), "loss_there": round(second, 5)}))
    if abs(first - second) > 0.05 * first:
        sys.exit(f"symptom: one seed, loss {first:.4f} here and {second:.4f} on the other machine")


def broken():
    compare(list)


def fixed():
    compare(sorted)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
