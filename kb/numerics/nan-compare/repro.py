"""A guard that should skip batches with a nan loss: written with == it never fires and the model is lost; with isfinite it does its work."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def equals_nan(loss):
    return loss.item() == float("nan")


def not_finite(loss):
    return not torch.isfinite(loss)


def train(is_bad):
    torch.manual_seed(0)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    noticed = nan_losses = 0
    for step in range(20):
        x = torch.randn(16, 8, device=device)
        y = x.sum(dim=1, keepdim=True)
        if step == 5:
            x[3, 2] = float("nan")  # one bad sensor reading
        loss = nn.functional.mse_loss(model(x), y)
        nan_losses += int(loss.isnan())
        if is_bad(loss):
            noticed += 1
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(
        json.dumps(
            {"nan_losses": nan_losses, "noticed": noticed, "nan_weights": int(model.weight.isnan().sum())}
        )
    )
    if noticed < nan_losses:
        sys.exit(f"symptom: the guard noticed {noticed} of {nan_losses} nan losses")


def broken():
    train(equals_nan)


def fixed():
    train(not_finite)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
