"""The median of 16,777,217 numbers: torch.quantile refuses one more than 2^24. Of a random million of them it is found, to a thousandth."""

import sys

import torch


def broken(x):
    return x.quantile(0.5)


def fixed(x):
    sample = x[torch.randint(x.numel(), (2**20,))]
    return sample.quantile(0.5)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.rand(2**24 + 1)
    median = fixed(x) if "--fixed" in sys.argv[1:] else broken(x)
    print("median:", float(median))
