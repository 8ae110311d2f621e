"""Epochs over a small data set in memory take many times as long with two worker processes as without any."""

import json
import sys
import time

import torch
from torch.utils.data import DataLoader, TensorDataset


def epoch_time(loader, epochs=4):
    """Best of several epochs, in seconds."""
    best = float("inf")
    for _ in range(epochs):
        start = time.perf_counter()
        for x, y in loader:
            pass
        best = min(best, time.perf_counter() - start)
    return best


def compare(num_workers):
    data = TensorDataset(torch.randn(1024, 16), torch.randint(10, (1024,)))
    without = epoch_time(DataLoader(data, batch_size=64, num_workers=0))
    chosen = epoch_time(DataLoader(data, batch_size=64, num_workers=num_workers))
    ratio = chosen / without
    print(
        json.dumps(
            {
                "epoch_ms": round(1000 * chosen, 2),
                "in_process_ms": round(1000 * without, 2),
                "ratio": round(ratio, 2),
            }
        )
    )
    if ratio > 3:
        sys.exit(f"symptom: reading with workers takes {ratio:.0f} times as long")


def broken():
    compare(num_workers=2)


def fixed():
    compare(num_workers=0)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
