"""An LSTM is asked for its device: only its parameters have one."""

import sys

import torch
from torch import nn

target = "cuda" if torch.cuda.is_available() else "cpu"


def broken():
    model = nn.LSTM(input_size=10, hidden_size=4, batch_first=True).to(target)
    batch = torch.randn(2, 5, 10)
    output, _ = model(batch.to(model.device))
    print(output.shape)


def fixed():
    model = nn.LSTM(input_size=10, hidden_size=4, batch_first=True).to(target)
    batch = torch.randn(2, 5, 10)
    output, _ = model(batch.to(next(model.parameters()).device))
    print(output.shape)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
