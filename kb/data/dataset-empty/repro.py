"""A glob that looks one level too high finds no picture, and a shuffled loader refuses the empty data set."""

import sys
import tempfile
from pathlib import Path

import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, paths):
        self.paths = sorted(paths)

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return torch.tensor(list(self.paths[index].read_bytes()))


def epoch(pattern):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cat", "dog"):
            (Path(folder) / name).mkdir()
            for number in range(3):
                (Path(folder) / name / f"{number}.png").write_bytes(bytes([number, number]))
        data = Images(Path(folder).glob(pattern))
        for batch in DataLoader(data, batch_size=2, shuffle=True):
            print(tuple(batch.shape))


def broken():
    epoch("*.png")


def fixed():
    epoch("*/*.png")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
