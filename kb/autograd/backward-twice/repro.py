"""A GRU whose hidden state goes from batch to batch with its history: the second batch's backward() runs into the first
batch's freed graph. Detaching the state between batches cures it."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
rnn = nn.GRU(8, 16, batch_first=True).to(device)
head = nn.Linear(16, 1).to(device)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.01)


def train(between_batches):
    hidden = torch.zeros(1, 4, 16, device=device)
    for _ in range(3):
        x, y = torch.randn(4, 5, 8, device=device), torch.randn(4, 5, 1, device=device)
        output, hidden = rnn(x, between_batches(hidden))
        loss = nn.functional.mse_loss(head(output), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("loss", round(loss.item(), 4))


def broken():
    train(lambda hidden: hidden)


def fixed():
    train(torch.Tensor.detach)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
