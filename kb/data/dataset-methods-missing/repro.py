"""A data set without __len__: with shuffle=True the loader asks for the length as soon as it is made. The same class with
the method is read through."""

import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Points(Dataset):
    def __init__(self):
        self.x = torch.randn(10, 3)

    def __getitem__(self, index):
        return self.x[index]


class CountedPoints(Points):
    def __len__(self):
        return len(self.x)


def read(dataset):
    for x in DataLoader(dataset, batch_size=5, shuffle=True):
        print(tuple(x.shape))


def broken():
    read(Points())


def fixed():
    read(CountedPoints())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
