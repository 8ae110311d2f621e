"""A native decoder dereferences a null pointer on an empty record, which ends the worker; without that record the epoch runs."""

import ctypes
import sys

import torch
from torch.utils.data import DataLoader, Dataset


def decode(record):
    """Stands for a C library that does not check its input."""
    pixels = (ctypes.c_ubyte * 4)()
    source = ctypes.addressof(record) if len(record) else None
    ctypes.memmove(pixels, source, 4)
    return torch.tensor(list(pixels))


class Records(Dataset):
    def __init__(self, records):
        self.records = records

    def __len__(self):
        return len(self.records)

    def __getitem__(self, index):
        return decode(self.records[index])


def epoch(records):
    for batch in DataLoader(Records(records), batch_size=2, num_workers=1):
        print(tuple(batch.shape))


def stored():
    return [(ctypes.c_ubyte * size)(*range(size)) for size in (4, 4, 4, 4, 4, 0, 4, 4)]


def broken():
    epoch(stored())


def fixed():
    epoch([record for record in stored() if len(record) == 4])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
