"""A table with an empty cell and a constant column: standardised as it is, the data holds nan and so does the loss of every step;
with bad rows dropped and the divisor guarded the model learns."""

import csv
import io
import json
import math
import random
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def table():
    numbers = random.Random(0)
    lines = ["length,width,sensor,price"]
    for row in range(200):
        length, width = numbers.uniform(1, 9), numbers.uniform(1, 9)
        cell = "" if row == 57 else f"{width:.2f}"
        lines.append(
            f"{length:.2f},{cell},3.0,{length * width:.2f}"
        )  # the third sensor was never switched on
    return "\n".join(lines)


def read(clean):
    rows = csv.DictReader(io.StringIO(table()))
    data = torch.tensor([[float(value or "nan") for value in row.values()] for row in rows])
    if clean:
        data = data[torch.isfinite(data).all(dim=1)]
    std = data.std(dim=0)
    if clean:
        std = std.clamp_min(1e-6)
    data = (data - data.mean(dim=0)) / std
    return data[:, :3].to(device), data[:, 3:].to(device)


def train(clean):
    torch.manual_seed(0)
    x, y = read(clean)
    model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(50):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    bad = int((~x.isfinite()).sum())
    value = loss.item()
    print(
        json.dumps(
            {"values": x.numel(), "not_finite": bad, "last_loss": value if math.isfinite(value) else None}
        )
    )
    if math.isnan(value):
        sys.exit(f"symptom: {bad} of {x.numel()} input values are not finite and the loss is nan")


def broken():
    train(clean=False)


def fixed():
    train(clean=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
