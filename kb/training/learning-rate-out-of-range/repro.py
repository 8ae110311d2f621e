"""One regression is trained with Adam at a rate that is a thousand times too small, and at a usual one: after the same steps the first has
hardly begun."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def run(lr):
    torch.manual_seed(0)
    x = torch.randn(256, 8).to(device)
    y = x[:, :1] * x[:, 1:2] + x[:, 2:3]
    model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for _ in range(200):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(json.dumps({"first": round(losses[0], 3), "last": round(losses[-1], 3)}))
    if losses[-1] > 0.8 * losses[0]:
        sys.exit(f"symptom: after 200 steps the loss has only gone from {losses[0]:.2f} to {losses[-1]:.2f}")


def broken():
    run(lr=1e-5)


def fixed():
    run(lr=1e-2)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
