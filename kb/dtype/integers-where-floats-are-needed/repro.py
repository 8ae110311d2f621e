"""Counts of words are standardised with their mean and standard deviation. They are int64, whose mean torch refuses;
as floats they are fine."""

import sys

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


def standardise(counts):
    return (counts - counts.mean()) / counts.std()


def broken():
    counts = torch.bincount(torch.tensor([0, 1, 1, 3, 3, 3, 2], device=device))
    print(standardise(counts))


def fixed():
    counts = torch.bincount(torch.tensor([0, 1, 1, 3, 3, 3, 2], device=device)).float()
    print(standardise(counts))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
