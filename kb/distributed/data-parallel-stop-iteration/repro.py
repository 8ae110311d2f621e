"""An LSTM whose forward asks next(self.parameters()) for the device fails as a DataParallel replica; asking the input works."""

import sys

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, from_input):
        super().__init__()
        self.from_input = from_input
        self.rnn = nn.LSTM(16, 32, batch_first=True)
        self.head = nn.Linear(32, 5)

    def forward(self, x):
        device = x.device if self.from_input else next(self.parameters()).device
        h0 = torch.zeros(1, x.size(0), 32, device=device)
        out, _ = self.rnn(x, (h0, h0.clone()))
        return self.head(out)


def train(model):
    if torch.cuda.device_count() < 2:
        print("needs two GPUs", file=sys.stderr)
        sys.exit(125)
    parallel = nn.DataParallel(model.to("cuda:0"), device_ids=[0, 1])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for _ in range(3):
        x = torch.randn(8, 10, 16, device="cuda:0")
        loss = parallel(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def broken():
    train(Tagger(from_input=False))


def fixed():
    train(Tagger(from_input=True))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
