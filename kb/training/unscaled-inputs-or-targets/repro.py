"""House prices from area, rooms and year, as they stand in the table: after 600 steps the network is worse than the mean. The same
network on standardised columns explains nearly all of it."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
area, rooms, year = torch.rand(512) * 9000 + 1000, torch.rand(512) * 5, torch.rand(512) * 60 + 1960
x = torch.stack([area, rooms, year], dim=1)
y = (300 * area.sqrt() * (1 + rooms) + 2000 * (year - 1960)).unsqueeze(1)


def fit(scale):
    train, test = slice(0, 384), slice(384, 512)
    x_mean, x_std, y_mean, y_std = 0.0, 1.0, 0.0, 1.0
    if scale:
        x_mean, x_std, y_mean, y_std = x[train].mean(0), x[train].std(0), y[train].mean(0), y[train].std(0)
    model = nn.Sequential(nn.Linear(3, 64), nn.Tanh(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(600):
        optimizer.zero_grad()
        nn.functional.mse_loss(model((x[train] - x_mean) / x_std), (y[train] - y_mean) / y_std).backward()
        optimizer.step()
    with torch.no_grad():
        predicted = model((x[test] - x_mean) / x_std) * y_std + y_mean
    explained = 1 - (predicted - y[test]).square().mean().item() / y[test].var(correction=0).item()
    print(
        json.dumps(
            {
                "explained": round(explained, 3),
                "spread": round(predicted.std().item()),
                "true": round(y[test].std().item()),
            }
        )
    )
    if explained < 0.5:
        sys.exit(f"symptom: the model explains {explained:.2f} of the variance (1 is perfect, 0 is the mean)")


def broken():
    fit(scale=False)


def fixed():
    fit(scale=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
