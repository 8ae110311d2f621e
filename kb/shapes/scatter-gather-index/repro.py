"""The last valid step of each sequence is gathered by its length; a sequence of full length asks for one step too many. The index is length - 1."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
steps, width = 6, 8
lengths = torch.tensor([6, 3, 5], device=device)


def run(position):
    hidden, _ = nn.GRU(4, width, batch_first=True).to(device)(torch.randn(3, steps, 4, device=device))
    index = position.view(-1, 1, 1).expand(-1, 1, width)
    last = hidden.gather(1, index).squeeze(1)
    print(tuple(last.shape), round(last.norm().item(), 3))  # on a GPU the error surfaces here


def broken():
    run(lengths)


def fixed():
    run(lengths - 1)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
