"""Sentences of 2, 3 and 1 words are packed for a GRU: with the default enforce_sorted=True their lengths would have to fall. Without it they
may stand in any order."""

import sys

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.manual_seed(0)
padded = torch.randn(3, 3, 4)  # (batch, time, features)
lengths = torch.tensor([2, 3, 1])
gru = torch.nn.GRU(4, 5, batch_first=True)


def run(**options):
    packed = pack_padded_sequence(padded, lengths, batch_first=True, **options)
    out, _ = pad_packed_sequence(gru(packed)[0], batch_first=True)
    print(out.shape)


def broken():
    run()


def fixed():
    run(enforce_sorted=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
