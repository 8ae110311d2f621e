"""Eighty and twenty percent of 1001 samples, both rounded down, leave one over, and random_split refuses. Fractions are rounded by it."""

import sys

import torch
from torch.utils.data import TensorDataset, random_split

dataset = TensorDataset(torch.arange(1001))


def split(lengths):
    train, val = random_split(dataset, lengths, generator=torch.Generator().manual_seed(0))
    print(len(train), len(val))


def broken():
    split([int(0.8 * len(dataset)), int(0.2 * len(dataset))])


def fixed():
    split([0.8, 0.2])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
