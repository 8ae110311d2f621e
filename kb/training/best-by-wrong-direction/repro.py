"""The best weights are kept where the validation loss is higher than before: the worst epoch is loaded in the end. With < it is the best."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(200, 3)
y = x.sum(1, keepdim=True)


def train(is_better, best_loss):
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses, best_epoch = [], -1
    for epoch in range(20):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[:100]), y[:100]).backward()
        optimizer.step()
        val_loss = nn.functional.mse_loss(model(x[100:]), y[100:]).item()
        losses.append(val_loss)
        if is_better(val_loss, best_loss):
            best_loss, best_epoch = val_loss, epoch
    print(json.dumps({"kept": round(losses[best_epoch], 4), "lowest": round(min(losses), 4)}))
    if losses[best_epoch] > 2 * min(losses):
        sys.exit(
            f"symptom: the weights that are kept have a validation loss of {losses[best_epoch]:.4f}, the best ones {min(losses):.4f}"
        )


def broken():
    train(lambda new, best: new > best, best_loss=0.0)


def fixed():
    train(lambda new, best: new < best, best_loss=float("inf"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
