"""33 samples in batches of 8 leave a last batch of one: batch norm refuses it in training. With drop_last the epoch ends."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"


def train(drop_last):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(33, 16), torch.randint(0, 3, (33,)))
    loader = DataLoader(data, batch_size=8, shuffle=True, drop_last=drop_last)
    model = nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 3)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("one epoch done")


def broken():
    train(drop_last=False)


def fixed():
    train(drop_last=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
