"""The model is on a device and the batch stays on the CPU. Without a GPU the meta device is the second one: an LSTM checks it in the same words."""

import sys

import torch
from torch import nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "meta")


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(10, 16, batch_first=True)
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        features, _ = self.lstm(x)
        return self.head(features)


def broken():
    model = Tagger().to(device)
    for _ in range(2):
        batch = torch.randn(4, 7, 10)
        print(model(batch).shape)


def fixed():
    model = Tagger().to(device)
    for _ in range(2):
        batch = torch.randn(4, 7, 10)
        print(model(batch.to(device)).shape)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
