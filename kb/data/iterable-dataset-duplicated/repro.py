"""A stream of 100 samples is loaded by two workers: each yields all of it and every sample comes twice. Split by the worker's number it
comes once."""

import itertools
import json
import sys
from collections import Counter

from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Stream(IterableDataset):
    def __init__(self, split):
        self.split = split

    def __iter__(self):
        worker = get_worker_info()
        return (
            itertools.islice(range(100), worker.id, None, worker.num_workers)
            if self.split
            else iter(range(100))
        )


def load(split):
    counts = Counter(
        itertools.chain.from_iterable(
            batch.tolist() for batch in DataLoader(Stream(split), batch_size=10, num_workers=2)
        )
    )
    print(json.dumps({"samples": counts.total(), "different": len(counts)}))
    if counts.total() > len(counts):
        sys.exit(f"symptom: each sample comes {counts.total() / len(counts):.0f} times in an epoch")


def broken():
    load(split=False)


def fixed():
    load(split=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
