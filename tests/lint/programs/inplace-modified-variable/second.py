import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(8, 8)

    def forward(self, x, mask):
        weight = torch.sigmoid(self.score(x))
        weight[mask] = 0.0  # broken, here
        weight = weight.masked_fill(mask, 0.0)  # fixed
        kept = torch.zeros_like(weight)
        kept[mask] = 1.0
        return x * weight + kept


gate, x = Gate(), torch.randn(4, 8)
gate(x, x > 0).sum().backward()
