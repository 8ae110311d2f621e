"""Predictions are written batch by batch into a tensor with room for whole batches. Of 70 samples the third batch of 32 has only 6, and six rows
do not fill a slice of 32; a slice as long as the batch fits."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
batch_size = 32
data = torch.randn(70, 8, device=device)
model = nn.Linear(8, 3).to(device)


@torch.no_grad()
def predict(rows_of):
    results = torch.zeros(96, 3, device=device)  # room for whole batches
    for start in range(0, len(data), batch_size):
        out = model(data[start : start + batch_size])
        results[start : start + rows_of(out)] = out
    print(tuple(results[: len(data)].shape), results[: len(data)].abs().min() > 0)


def broken():
    predict(lambda out: batch_size)


def fixed():
    predict(len)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
