"""One-hot over raw user ids asks for petabytes of RAM, which is refused at once; over the few ids that occur it is tiny."""

import sys

import torch
from torch.nn import functional as F

raw_ids = torch.tensor([90071992547409, 17, 90071992547409, 4503599627370, 17, 33000000000123])


def encode(ids):
    """A linear layer's input: one column per id."""
    one_hot = F.one_hot(ids).float()
    print(tuple(one_hot.shape))
    return one_hot


def broken():
    encode(raw_ids)


def fixed():
    distinct, index = torch.unique(raw_ids, return_inverse=True)
    encode(index)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
