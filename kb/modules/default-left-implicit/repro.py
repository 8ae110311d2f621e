"""nn.Softmax() without dim on (batch, tokens, classes): torch warns and normalises over the batch. With dim=-1 the classes add up to 1."""

import sys

import torch
from torch import nn


def total(layer):
    torch.manual_seed(0)
    logits = torch.randn(4, 3, 5)  # (batch, tokens, classes)
    print("sum over the classes of the first token:", round(layer(logits)[0, 0].sum().item(), 3))


def broken():
    total(nn.Softmax())


def fixed():
    total(nn.Softmax(dim=-1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
