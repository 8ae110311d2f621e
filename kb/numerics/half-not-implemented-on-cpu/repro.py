"""A speech model kept in float16, as for the GPU, on the CPU: the CTC loss has no half-precision kernel there. In float32 it trains."""

import sys

import torch
from torch import nn


class Recogniser(nn.Module):
    def __init__(self, characters=28):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.Linear(64, characters))

    def forward(self, frames):
        return self.layers(frames).log_softmax(dim=-1)


def train(dtype):
    torch.manual_seed(0)
    model = Recogniser().to("cpu", dtype)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    frames = torch.randn(50, 4, 40).to(dtype)  # time, batch, features
    text = torch.randint(1, 28, (4, 10))
    for _ in range(3):
        log_probs = model(frames)
        loss = nn.functional.ctc_loss(log_probs, text, torch.full((4,), 50), torch.full((4,), 10))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("loss", loss.item())


def broken():
    train(torch.float16)


def fixed():
    train(torch.float32)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
