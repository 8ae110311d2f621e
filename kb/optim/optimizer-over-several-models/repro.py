"""An encoder and a decoder are to share one optimizer, but their parameters() are generators and cannot be added. As lists they
can."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(16, 4), nn.Tanh())
decoder = nn.Linear(4, 16)
x = torch.randn(64, 16)


def train(parameters):
    optimizer = torch.optim.Adam(parameters, lr=0.01)
    for _ in range(50):
        loss = nn.functional.mse_loss(decoder(encoder(x)), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"reconstruction loss {loss.item():.3f}")


def broken():
    train(encoder.parameters() + decoder.parameters())


def fixed():
    train(list(encoder.parameters()) + list(decoder.parameters()))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
