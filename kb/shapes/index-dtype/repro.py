"""A table is read as one float matrix, and its first column, the user's number, goes to an embedding as float. As int64 it is looked up."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
rows = ["3,0.5,1.2", "0,0.1,0.7", "7,0.9,0.3"]
table = torch.tensor([[float(value) for value in row.split(",")] for row in rows], device=device)


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(10, 4)
        self.out = nn.Linear(6, 1)

    def forward(self, ids, features):
        return self.out(torch.cat([self.user(ids), features], dim=1))


def run(ids):
    print(tuple(Scorer().to(device)(ids, table[:, 1:]).shape))


def broken():
    run(table[:, 0])


def fixed():
    run(table[:, 0].long())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
