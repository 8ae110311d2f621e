"""A data set scales each signal by a random gain, in place: the gains of all epochs multiply up in its own array. On a copy, the data stay."""

import json
import sys

import torch
from torch.utils.data import DataLoader, Dataset

EPOCHS = 20


class Signals(Dataset):
    def __init__(self, copied):
        self.waves, self.copied = torch.randn(64, 40), copied

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, i):
        wave = self.waves[i].clone() if self.copied else self.waves[i]
        wave *= 0.7 + 0.4 * torch.rand(())
        return wave


def run(copied):
    torch.manual_seed(0)
    data = Signals(copied)
    before = float(data.waves.std())
    for _ in range(EPOCHS):
        for _ in DataLoader(data, batch_size=16, shuffle=True):
            pass
    left = float(data.waves.std()) / before
    print(json.dumps({"spread_left": round(left, 3)}))
    if left < 0.5:
        sys.exit(f"symptom: after {EPOCHS} epochs {left:.0%} of the signal is left in the data set")


def broken():
    run(copied=False)


def fixed():
    run(copied=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
