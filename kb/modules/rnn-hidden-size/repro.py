"""A GRU's state is created once for batches of 16; the last batch of the epoch has 4 sequences. Creating it from the input's size
works for every batch."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
BATCH = 16


def train(initial_state):
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(36, 7, 10), torch.randint(0, 3, (36,)))
    gru, head = nn.GRU(10, 20, num_layers=2, batch_first=True).to(device), nn.Linear(20, 3).to(device)
    optimizer = torch.optim.SGD([*gru.parameters(), *head.parameters()], lr=0.1)
    for x, y in DataLoader(data, batch_size=BATCH):
        x, y = x.to(device), y.to(device)
        output, _ = gru(x, initial_state(x))
        loss = nn.functional.cross_entropy(head(output[:, -1]), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("batch of", len(x), flush=True)


def broken():
    train(lambda x: torch.zeros(2, BATCH, 20, device=device))


def fixed():
    train(lambda x: x.new_zeros(2, x.size(0), 20))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
