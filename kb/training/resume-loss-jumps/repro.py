"""A run is cut in two. The second half restores the weights but makes a new Adam and a new scheduler: the loss jumps far above where it was.
Restoring their states too continues the curve."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 8)
y = x @ torch.randn(8, 1)


def make():
    torch.manual_seed(1)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.3)
    return model, optimizer, torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.97)


def steps(model, optimizer, scheduler, count):
    losses = []
    for _ in range(count):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


def resume(parts):
    first = make()
    before = steps(*first, 200)[-1]
    checkpoint = {
        "model": first[0].state_dict(),
        "optimizer": first[1].state_dict(),
        "scheduler": first[2].state_dict(),
    }
    second = make()
    for part, name in zip(second, checkpoint):
        if name in parts:
            part.load_state_dict(checkpoint[name])
    worst = max(steps(*second, 10))
    print(json.dumps({"before": before, "worst_of_10_after": worst}))
    if worst > 100 * before + 1e-3:
        sys.exit(f"symptom: the loss was {before:.2e} and rises to {worst:.2e} after resuming")


def broken():
    resume({"model"})


def fixed():
    resume({"model", "optimizer", "scheduler"})


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
