"""A data set whose length says 8 and whose list holds 6: the IndexError is raised in a worker and arrives wrapped. The fixed length loads."""

import sys

from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self, length):
        self.items = [float(number) for number in range(6)]
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return self.items[index]


def load(length):
    for batch in DataLoader(Numbers(length), batch_size=2, num_workers=1):
        print(batch)


def broken():
    load(8)


def fixed():
    load(6)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
