import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.each, self.qkv = heads, size // heads, nn.Linear(size, 3 * size)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(B, self.heads, T, self.each)  # broken, here
        q = q.view(B, T, self.heads, self.each).transpose(1, 2)  # fixed
        return q
