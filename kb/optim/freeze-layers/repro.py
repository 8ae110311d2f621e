"""backbone.requires_grad = False sets an attribute of the module and freezes nothing: the backbone is trained. The method
requires_grad_(False) reaches its parameters."""

import json
import sys

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
        self.head = nn.Linear(32, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


def train(freeze):
    torch.manual_seed(0)
    model = Classifier()
    freeze(model)
    trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    x = torch.randn(128, 8)
    y = (x.sum(1) > 0).long()
    before = model.backbone[0].weight.detach().clone()
    for _ in range(50):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    moved = (model.backbone[0].weight - before).abs().max().item()
    print(json.dumps({"trainable parameters": trainable, "change of the backbone": round(moved, 4)}))
    if moved > 0.01:
        sys.exit(f"symptom: weights of the layers meant to be frozen changed by up to {moved:.3f}")


def set_the_attribute(model):
    model.backbone.requires_grad = False


def call_the_method(model):
    model.backbone.requires_grad_(False)


def broken():
    train(set_the_attribute)


def fixed():
    train(call_the_method)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
