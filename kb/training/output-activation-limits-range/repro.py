"""A regression whose targets are negative for half of the samples ends in a ReLU: it cannot say a number below 0.
Without the last activation it learns them."""

import json
import sys

import torch
from torch import nn


def fit(*last):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    x = torch.randn(256, 4)
    y = x.sum(1, keepdim=True)
    model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1), *last)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(300):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    lowest = model(x).min().item()
    print(
        json.dumps(
            {
                "lowest_target": round(y.min().item(), 2),
                "lowest_prediction": round(lowest, 2),
                "loss": round(loss.item(), 3),
            }
        )
    )
    if lowest >= 0:
        sys.exit(f"symptom: no prediction below 0, though targets go down to {y.min().item():.2f}")


def broken():
    fit(nn.ReLU())


def fixed():
    fit()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
