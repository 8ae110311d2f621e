"""The model moves in place, the batch does not: Tensor.to() returns a copy. Without a GPU the meta device is the destination."""

import json
import sys

import torch
from torch import nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "meta")


def report(model, batch):
    weights = next(model.parameters()).device
    print(json.dumps({"weights_on": str(weights), "batch_on": str(batch.device)}))
    if batch.device != weights:
        sys.exit(f"symptom: the batch is still on {batch.device}, the weights are on {weights}")


def broken():
    model = nn.Sequential(nn.Flatten(), nn.Linear(300, 10))
    batch = torch.zeros(2, 3, 10, 10)
    model.to(device)
    batch.to(device)
    report(model, batch)


def fixed():
    model = nn.Sequential(nn.Flatten(), nn.Linear(300, 10))
    batch = torch.zeros(2, 3, 10, 10)
    model.to(device)
    batch = batch.to(device)
    report(model, batch)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
