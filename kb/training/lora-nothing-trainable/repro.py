"""Adapters are put into a frozen layer after the optimizer was made, so that it never sees them: lora_B stays zero and the loss does not
move. With the optimizer made afterwards, from what is trainable, it falls."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(256, 16)
y = x @ torch.randn(16, 4)


class LoraLinear(nn.Module):
    def __init__(self, base, rank=4):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.lora_A = nn.Parameter(torch.randn(rank, base.in_features) / rank)
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x):
        return self.base(x) + x @ self.lora_A.T @ self.lora_B.T


def train(optimizer_first):
    model = nn.Sequential(nn.Linear(16, 4))
    if optimizer_first:
        optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    model[0] = LoraLinear(model[0])
    if not optimizer_first:
        optimizer = torch.optim.Adam((p for p in model.parameters() if p.requires_grad), lr=0.05)
    losses = []
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    largest = model[0].lora_B.abs().max().item()
    print(json.dumps({"first_loss": losses[0], "last_loss": losses[-1], "largest_lora_B": largest}))
    if largest == 0:
        sys.exit(
            f"symptom: after 100 steps lora_B is all zero and the loss is {losses[-1]:.3f} as at the start"
        )


def broken():
    train(optimizer_first=True)


def fixed():
    train(optimizer_first=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
