"""Features of a backbone are collected by a forward hook. The classifier runs the backbone by backbone.forward(x): the
hook is never called. backbone(x) calls it."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU()).to(device)
head = nn.Linear(16, 3).to(device)
features = []
backbone.register_forward_hook(lambda module, inputs, output: features.append(output.detach()))


def classify(run):
    batches = [torch.randn(4, 8, device=device) for _ in range(5)]
    for x in batches:
        head(run(x))
    print(json.dumps({"calls": len(batches), "seen_by_hook": len(features)}))
    if not features:
        sys.exit(f"symptom: the hook saw 0 of {len(batches)} calls")


def broken():
    classify(lambda x: backbone.forward(x))


def fixed():
    classify(lambda x: backbone(x))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
