"""forward() makes its initial hidden state with torch.zeros, which lands on the CPU. Without a GPU the meta device is the model's: same check, same words."""

import sys

import torch
from torch import nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "meta")


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(10, 16, batch_first=True)

    def forward(self, x):
        return self.rnn(x, torch.zeros(1, x.size(0), 16))[0]


class DeviceAgnosticEncoder(Encoder):
    def forward(self, x):
        return self.rnn(x, x.new_zeros(1, x.size(0), 16))[0]


def broken():
    model = Encoder().to(device)
    print(model(torch.randn(4, 7, 10).to(device)).shape)


def fixed():
    model = DeviceAgnosticEncoder().to(device)
    print(model(torch.randn(4, 7, 10).to(device)).shape)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
