"""Regression on targets in the hundreds: the loss grows for a few steps, overflows and is nan for good. The same network, rate and data
with standardised targets learn."""

import json
import math
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def train(standardise):
    torch.manual_seed(0)
    x = torch.randn(256, 8, device=device)
    prices = 100 * x.sum(dim=1, keepdim=True) + 500
    y = (prices - prices.mean()) / prices.std() if standardise else prices
    model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(50):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    nan_from = next((step for step, loss in enumerate(losses) if math.isnan(loss)), None)
    print(json.dumps({"losses": [f"{loss:.3g}" for loss in losses[:8]], "nan_from_step": nan_from}))
    if nan_from is not None:
        sys.exit(f"symptom: the loss is nan from step {nan_from} on")


def broken():
    train(standardise=False)


def fixed():
    train(standardise=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
