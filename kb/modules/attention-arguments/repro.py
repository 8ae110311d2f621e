"""Batches of four sentences with three tokens go into an attention that expects (length, batch, size): it takes the sentences for tokens, and
the padding mask does not fit. With batch_first=True it does."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
tokens = torch.randn(4, 3, 8)
is_padding = torch.tensor(
    [[False, False, False], [False, False, True], [False, True, True], [False, False, False]]
)


def attend(**options):
    attention = nn.MultiheadAttention(embed_dim=8, num_heads=2, **options)
    out, weights = attention(tokens, tokens, tokens, key_padding_mask=is_padding)
    print(out.shape, weights[1])


def broken():
    attend()


def fixed():
    attend(batch_first=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
