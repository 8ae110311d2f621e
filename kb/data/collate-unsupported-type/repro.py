"""A reader that answers None for a damaged file makes batching fail; leaving such files out beforehand does not."""

import sys

import torch
from torch.utils.data import DataLoader, Dataset

FILES = {"a.png": b"\x01\x02\x03", "b.png": b"", "c.png": b"\x04\x05\x06", "d.png": b"\x07\x08\x09"}


def read(path):
    """As cv2.imread does: None if the file cannot be decoded."""
    content = FILES[path]
    return torch.tensor(list(content)) if content else None


class Images(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return read(self.paths[index])


def epoch(paths):
    for batch in DataLoader(Images(paths), batch_size=1):
        print(batch)


def broken():
    epoch(list(FILES))


def fixed():
    epoch([path for path in FILES if read(path) is not None])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
