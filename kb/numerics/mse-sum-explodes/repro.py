"""One learning rate, two batch sizes: with reduction="sum" the small batch learns and the large one diverges; with the mean both learn."""

import json
import math
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
SMALL, LARGE = 16, 1024


def error_after_training(reduction, rate, batch):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    criterion = nn.MSELoss(reduction=reduction)
    truth = torch.randn(8, 4, device=device)
    for _ in range(60):
        x = torch.randn(batch, 8, device=device)
        loss = criterion(model(x), x @ truth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return nn.functional.mse_loss(model(x), x @ truth).item()


def compare(reduction, rate):
    errors = {batch: error_after_training(reduction, rate, batch) for batch in (SMALL, LARGE)}
    learns = {batch: math.isfinite(error) and error < 1 for batch, error in errors.items()}
    print(
        json.dumps(
            {
                f"error_batch_{batch}": error if math.isfinite(error) else None
                for batch, error in errors.items()
            }
        )
    )
    if learns[SMALL] and not learns[LARGE]:
        sys.exit(f"symptom: at the same learning rate batch {SMALL} learns and batch {LARGE} diverges")


def broken():
    compare("sum", 1e-3)


def fixed():
    compare(
        "mean", 1e-3 * SMALL * 4
    )  # the same step for the small batch: 16 samples of 4 outputs were summed


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
