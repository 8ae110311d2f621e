"""torch.export meets a Python `if` on the number of rows that a mask leaves. It cannot decide it, since only the data give that number.
Written with torch.where, one graph holds for every input."""

import sys

import torch


class Branching(torch.nn.Module):
    def forward(self, x, mask):
        kept = x[mask]
        if kept.shape[0] > 2:
            return kept.sum() * 2
        return kept.sum()


class Whole(torch.nn.Module):
    def forward(self, x, mask):
        total = (x * mask).sum()
        return torch.where(mask.sum() > 2, total * 2, total)


def export(model):
    x = torch.ones(4, 3)
    exported = torch.export.export(model, (x, x > 0))
    few = torch.zeros(4, 3, dtype=torch.bool)
    few[0, 0] = True
    print("exported", exported.module()(x, few).item(), "plain", model(x, few).item())


def broken():
    export(Branching())


def fixed():
    export(Whole())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
