"""A validation loss that each batch overwrites: what is read behind the loop is that of the last batch, here an easy one. Summed, it is that of all samples."""

import json
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(70, 4)
y = x.sum(1, keepdim=True)
y[:64] += 3.0  # the last six are easy
loader = DataLoader(TensorDataset(x, y), batch_size=16)
model = nn.Linear(4, 1)
with torch.no_grad():
    model.weight.fill_(1.0)
    model.bias.zero_()


@torch.no_grad()
def validate(whole):
    model.eval()
    total = 0.0
    for inputs, targets in loader:
        loss = nn.functional.mse_loss(model(inputs), targets)
        if whole:
            total += loss.item() * len(inputs)
    return total / len(x) if whole else loss.item()


def measure(told):
    true = nn.functional.mse_loss(model(x), y).item()
    print(json.dumps({"told": round(told, 3), "of_all_samples": round(true, 3)}))
    if abs(told - true) > 1:
        sys.exit(f"symptom: the validation loss is told to be {told:.3f}, and is {true:.3f} over all samples")


def broken():
    measure(validate(whole=False))


def fixed():
    measure(validate(whole=True))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
