"""A forked worker that reads file names from a Python list copies the list's memory; from a NumPy array it copies nothing."""

import json
import os
import sys

import numpy as np
from torch.utils.data import DataLoader, Dataset

ITEMS = 400_000


class Files(Dataset):
    def __init__(self, as_array):
        names = [f"/data/images/train/class_{i % 1000:04d}/picture_{i:08d}.jpg" for i in range(ITEMS)]
        self.names = np.array(names, dtype=np.bytes_) if as_array else names

    def __len__(self):
        return ITEMS

    def __getitem__(self, index):
        return len(self.names[index])


def private_bytes():
    with open("/proc/self/smaps_rollup", encoding="ascii") as lines:
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty")) * 1024


def collate(batch):
    return sum(
        batch
    ), private_bytes()  # runs in the worker; plain numbers, since sending a tensor makes it import modules


def epoch(as_array):
    if not os.path.exists("/proc/self/smaps_rollup"):
        print("needs /proc/self/smaps_rollup (Linux 4.14 or newer)", file=sys.stderr)
        sys.exit(125)
    data = Files(as_array)
    sampler = range(0, ITEMS, 16)
    loader = DataLoader(
        data,
        batch_size=1000,
        sampler=sampler,
        num_workers=1,
        collate_fn=collate,
        multiprocessing_context="fork",
    )
    sizes = [size for _, size in loader]
    copied = sizes[-1] - sizes[0]
    print(json.dumps({"batches": len(sizes), "private_at_start": sizes[0], "copied_in_epoch": copied}))
    if copied > 16 << 20:
        sys.exit(f"symptom: the worker has copied {copied >> 20} MiB of the data set's list")


def broken():
    epoch(as_array=False)


def fixed():
    epoch(as_array=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
