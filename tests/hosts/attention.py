"""Attention written by hand and torch's encoder layer, with a padding mask; one class, two instances."""

import math

import torch
import torch.nn as nn


class Attend(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.width = heads, dim // heads
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)

    def split(self, x):
        b, t, _ = x.shape
        return x.view(b, t, self.heads, self.width).transpose(1, 2)

    def forward(self, query, memory, padding=None):
        q, k, v = self.split(self.q(query)), self.split(self.k(memory)), self.split(self.v(memory))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.width)
        if padding is not None:
            scores = scores.masked_fill(padding[:, None, None, :], float("-inf"))
        mixed = torch.softmax(scores, dim=-1) @ v
        b, h, t, w = mixed.shape
        return mixed.transpose(1, 2).reshape(b, t, h * w)


torch.manual_seed(3)
DIM, HEADS = 12, 3
own, cross = Attend(DIM, HEADS), Attend(DIM, HEADS)
encoder = nn.TransformerEncoderLayer(DIM, HEADS, dim_feedforward=20, dropout=0.0, batch_first=True)
source, target = torch.randn(2, 6, DIM), torch.randn(2, 4, DIM)
padding = torch.tensor([[False] * 6, [False] * 4 + [True] * 2])
memory = encoder(source, src_key_padding_mask=padding)
hidden = own(target, target)
hidden = hidden + cross(hidden, memory, padding)
loss = hidden.pow(2).mean()
loss.backward()
norm = sum(p.grad.norm() for p in own.parameters())
print(tuple(hidden.shape), f"{loss.item():.4f} {norm.item():.4f}")
