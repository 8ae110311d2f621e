"""A data set opens its file in __init__: two forked workers share one file position, so that one's seek moves the other's read. Opened by
each worker at its first sample, every record is right."""

import json
import os
import sys
import tempfile
import time

import torch
from torch.utils.data import DataLoader, Dataset

COUNT, SIZE = 2000, 8


class Records(Dataset):
    def __init__(self, path, lazily):
        self.path, self.file = path, None
        if not lazily:
            self.file = self.open()

    def open(self):
        return open(self.path, "rb", buffering=0)

    def __len__(self):
        return COUNT

    def __getitem__(self, index):
        if self.file is None:
            self.file = self.open()
        self.file.seek(index * SIZE)
        time.sleep(0.0002)  # a slow disk: without it the two workers meet as well, only more seldom
        return index, int.from_bytes(self.file.read(SIZE), "big")


def count_wrong(lazily):
    if "fork" not in torch.multiprocessing.get_all_start_methods():
        print("no fork on this system", file=sys.stderr)
        sys.exit(125)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "records.bin")
        with open(path, "wb") as file:
            file.writelines(index.to_bytes(SIZE, "big") for index in range(COUNT))
        loader = DataLoader(
            Records(path, lazily), batch_size=100, num_workers=2, multiprocessing_context="fork"
        )
        wrong = sum(int((indices != values).sum()) for _ in range(3) for indices, values in loader)
    print(json.dumps({"samples": 3 * COUNT, "wrong": wrong}))
    if wrong:
        sys.exit(f"symptom: {wrong} of {3 * COUNT} samples hold another record than the one asked for")


def broken():
    count_wrong(lazily=False)


def fixed():
    count_wrong(lazily=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
