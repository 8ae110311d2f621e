"""One of twenty pictures was cut half-way through its download, and the epoch ends there. Looked for once beforehand, it is left out, and
the others load."""

import os
import sys
import tempfile

import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        with Image.open(self.paths[index]) as picture:
            return torch.tensor(list(picture.convert("RGB").tobytes()), dtype=torch.uint8)


def is_whole(path):
    try:
        with Image.open(path) as picture:
            picture.load()  # all pixels: opening reads the header alone
        return True
    except (OSError, SyntaxError):
        return False


def epoch(choose):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"{number}.jpg") for number in range(20)]
        for path in paths:
            Image.effect_noise((64, 64), 50).convert("RGB").save(path)
        os.truncate(paths[7], os.path.getsize(paths[7]) // 2)
        print(sum(len(batch) for batch in DataLoader(Pictures(choose(paths)), batch_size=4)), "pictures")


def broken():
    epoch(lambda paths: paths)


def fixed():
    epoch(lambda paths: [path for path in paths if is_whole(path)])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
