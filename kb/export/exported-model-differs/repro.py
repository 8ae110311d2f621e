"""A network with dropout is exported while it is in training mode: the exported graph drops at random and differs from the model in evaluation.
Exported after eval() the two agree."""

import json
import sys

import torch
from torch import nn


def compare(mode):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 3))
    mode(model)
    exported = torch.export.export(model, (torch.randn(4, 8),)).module()
    x = torch.randn(4, 8)
    with torch.no_grad():
        difference = (exported(x) - model.eval()(x)).abs().max().item()
    print(json.dumps({"largest_difference": round(difference, 6)}))
    if difference > 0.01:
        sys.exit(f"symptom: the exported model differs from the original by {difference:.2f}")


def broken():
    compare(lambda model: model.train())


def fixed():
    compare(lambda model: model.eval())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
