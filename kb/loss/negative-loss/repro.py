"""A segmentation head is trained with BCEWithLogitsLoss on masks of 0 and 255. The loss has no lower bound and falls below zero. With the masks
brought to 0 and 1 it stays above."""

import json
import sys

import torch
from torch import nn


def train(to_target):
    torch.manual_seed(0)
    images = torch.randn(16, 1, 8, 8)
    masks = (images > 0).long() * 255
    model = nn.Conv2d(1, 1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(20):
        loss = nn.functional.binary_cross_entropy_with_logits(model(images), to_target(masks))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(json.dumps({"largest_target": to_target(masks).max().item(), "loss": round(loss.item(), 3)}))
    if loss < -1:
        sys.exit(f"symptom: after 20 steps the loss is {loss.item():.1f}, negative, and falls on")


def broken():
    train(lambda masks: masks.float())


def fixed():
    train(lambda masks: (masks > 0).float())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
