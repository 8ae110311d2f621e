"""A regression with a hand-written mean squared error: predictions are (N, 1), labels (N,), so the error is computed for all N x N pairs and the
network learns the mean. With the trailing dimension squeezed it fits."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def run(shape_of):
    torch.manual_seed(0)
    x = torch.randn(256, 4)
    y = x @ torch.tensor([1.0, -2.0, 0.5, 3.0]) + 0.1 * torch.randn(256)
    x, y = x.to(device), y.to(device)  # (256, 4) and (256,)
    model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(200):
        error = shape_of(model(x)) - y
        loss = error.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        rest = (model(x)[:, 0] - y).square().mean() / y.var(unbiased=False)
    explained = 1 - rest.item()
    print(json.dumps({"elements_of_error": error.numel(), "samples": len(y), "r2": round(explained, 3)}))
    if error.numel() > len(y) and explained < 0.5:
        sys.exit(
            f"symptom: R2 is {explained:.2f}, the error of {len(y)} samples was broadcast to {error.numel()} numbers"
        )


def broken():
    run(lambda out: out)


def fixed():
    run(lambda out: out.squeeze(-1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
