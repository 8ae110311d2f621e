"""A layer remembers its device in __init__, then the model moves. Without a GPU it moves to the meta device."""

import json
import sys

import torch
from torch import nn

target = torch.device("cuda:0" if torch.cuda.is_available() else "meta")


class Attention(nn.Module):
    def __init__(self, size, device="cpu"):
        super().__init__()
        self.device = torch.device(device)
        self.score = nn.Linear(size, 1, device=device)

    def mask(self, batch):
        return torch.ones(batch, 1, device=self.device)


class AskingAttention(nn.Module):
    def __init__(self, size, device="cpu"):
        super().__init__()
        self.score = nn.Linear(size, 1, device=device)

    @property
    def device(self):
        return next(self.parameters()).device

    def mask(self, batch):
        return torch.ones(batch, 1, device=self.device)


def report(layer):
    model = nn.Sequential(nn.Linear(4, 8), layer)
    model.to(target)
    weights = layer.score.weight.device
    print(
        json.dumps(
            {"attribute": str(layer.device), "weights_on": str(weights), "mask_on": str(layer.mask(2).device)}
        )
    )
    if layer.device != weights:
        sys.exit(f"symptom: self.device says {layer.device}, the weights are on {weights}")


def broken():
    report(Attention(8))


def fixed():
    report(AskingAttention(8))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
