"""A small network is trained on inputs in raw units: its ReLUs die in the first steps and it answers the same number for every
sample. With every input scaled by its own mean and deviation the same network follows the targets."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def run(scale):
    torch.manual_seed(0)
    x = torch.randn(256, 4) * torch.tensor([300.0, 5.0, 800.0, 20.0]) + torch.tensor(
        [101325.0, 15.0, 2000.0, 60.0]
    )
    y = (x[:, :1] - 101325.0) / 300 + (x[:, 2:3] - 2000.0) / 400 + 5
    inputs, targets = scale(x).to(device), y.to(device)
    model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1)).to(
        device
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(200):
        loss = nn.functional.mse_loss(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        spread = (model(inputs).std() / targets.std()).item()
    print(json.dumps({"spread_of_predictions_over_targets": round(spread, 4)}))
    if spread < 0.2:
        sys.exit(f"symptom: the predictions spread {spread:.1%} as much as the targets")


def broken():
    run(scale=lambda x: x)


def fixed():
    run(scale=lambda x: (x - x.mean(0)) / x.std(0))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
