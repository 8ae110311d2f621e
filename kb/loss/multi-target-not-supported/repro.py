"""The labels come as a column of shape (N, 1); cross entropy wants (N,)."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
column = torch.randint(0, 3, (64, 1))  # as read from a table
loader = DataLoader(TensorDataset(torch.randn(64, 8), column), batch_size=16)


def train(prepare):
    for x, y in loader:
        loss = criterion(model(x.to(device)), prepare(y.to(device)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


def broken():
    train(lambda y: y)


def fixed():
    train(lambda y: y.squeeze(1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
