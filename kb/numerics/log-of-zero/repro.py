"""A classifier trained with a hand-written binary cross entropy: once sigmoid(logit) rounds to 1, log(1 - p) is -inf, 0 * -inf is nan
and so are all weights. The same loss computed from the logits stays finite."""

import json
import math
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def by_hand(logits, y):
    p = torch.sigmoid(logits)
    return -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()


def from_logits(logits, y):
    return nn.functional.binary_cross_entropy_with_logits(logits, y)


def train(criterion):
    torch.manual_seed(0)
    x = torch.randn(256, 8, device=device)
    y = (x[:, :1] > 0).float()  # separable: the model may become as sure as it likes
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    nan_at = None
    for step in range(200):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if nan_at is None and math.isnan(loss.item()):
            nan_at = step
    broken_weights = sum(int(p.isnan().sum()) for p in model.parameters())
    print(json.dumps({"nan_at_step": nan_at, "nan_weights": broken_weights}))
    if nan_at is not None:
        sys.exit(f"symptom: the loss became nan at step {nan_at}, {broken_weights} weights are nan")


def broken():
    train(by_hand)


def fixed():
    train(from_logits)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
