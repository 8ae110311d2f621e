"""A backbone is built under no_grad in the belief that this freezes it; training moves it all the same. Setting
requires_grad to False on its parameters does freeze it."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(64, 10, device=device)
y = (x.sum(dim=1) > 0).long()


def fine_tune(freeze):
    with torch.no_grad():
        backbone = nn.Sequential(nn.Linear(10, 16), nn.Tanh()).to(device)  # stands for a pretrained one
    freeze(backbone)
    model = nn.Sequential(backbone, nn.Linear(16, 2).to(device))
    optimizer = torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=0.5)
    start = backbone[0].weight.detach().clone()
    for _ in range(30):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    moved = (backbone[0].weight - start).abs().max().item()
    trainable = sum(p.numel() for p in backbone.parameters() if p.requires_grad)
    print(json.dumps({"trainable_in_backbone": trainable, "backbone_moved": round(moved, 4)}))
    if moved > 0.01:
        sys.exit(f"symptom: the backbone that was built under no_grad moved by {moved:.3f}")


def broken():
    fine_tune(lambda backbone: None)


def fixed():
    fine_tune(lambda backbone: backbone.requires_grad_(False))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
