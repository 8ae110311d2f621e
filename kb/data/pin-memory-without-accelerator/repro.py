"""A loader with pin_memory=True where torch sees no accelerator: one warning, and pages that are not pinned. Asking only where there is one is quiet."""

import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.zeros(8, 2))


def load(pin):
    for (batch,) in DataLoader(data, batch_size=4, pin_memory=pin):
        print(
            tuple(batch.shape),
            "pinned" if torch.accelerator.is_available() and batch.is_pinned() else "not pinned",
        )


def broken():
    if torch.accelerator.is_available():
        print("this machine has an accelerator: nothing to warn of", file=sys.stderr)
        sys.exit(125)
    load(pin=True)


def fixed():
    load(pin=torch.accelerator.is_available())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
