"""A data set with a lambda as its transform cannot be sent to a spawned worker; with a top-level function it can."""

import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.transform(torch.full((3, 8, 8), float(index)))


def normalize(image):
    return image / 255


def epoch(transform):
    loader = DataLoader(Images(transform), batch_size=2, num_workers=1, multiprocessing_context="spawn")
    for batch in loader:
        print(tuple(batch.shape))


def broken():
    epoch(lambda image: image / 255)


def fixed():
    epoch(normalize)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
