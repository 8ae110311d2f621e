"""A causal mask for five tokens is used for the three of this batch: attention refuses its shape. Made for the length at hand, it fits."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
attention = nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
tokens = torch.randn(4, 3, 8)


def attend(length):
    mask = torch.triu(torch.ones(length, length, dtype=torch.bool), diagonal=1)
    out, weights = attention(tokens, tokens, tokens, attn_mask=mask)
    print(out.shape, weights[0])


def broken():
    attend(5)


def fixed():
    attend(tokens.shape[1])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
