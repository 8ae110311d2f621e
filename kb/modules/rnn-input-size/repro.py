"""Multichannel signals in a convolution's layout (batch, channels, length) go into a GRU, which takes the last dimension for the
features. Transposed to (batch, length, channels) they fit."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def train_step(prepare):
    torch.manual_seed(0)
    signals = torch.randn(8, 6, 50, device=device)  # batch, channels, length
    labels = torch.randint(0, 2, (8,), device=device)
    gru, head = nn.GRU(input_size=6, hidden_size=16, batch_first=True).to(device), nn.Linear(16, 2).to(device)
    output, _ = gru(prepare(signals))
    loss = nn.functional.cross_entropy(head(output[:, -1]), labels)
    loss.backward()
    print("loss", loss.item(), "output", tuple(output.shape))


def broken():
    train_step(lambda signals: signals)


def fixed():
    train_step(lambda signals: signals.transpose(1, 2))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
