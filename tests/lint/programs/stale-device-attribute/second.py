import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, width, length=64, device="cpu"):
        super().__init__()
        self.device = device  # here
        self.table = nn.Embedding(length, width)

    def forward(self, x):
        return x + self.table(torch.arange(x.size(1), device=self.device))


def build(device):
    layer = Positions(32)  # broken
    layer = Positions(32, device=device)  # fixed
    model = nn.Sequential(nn.Linear(8, 32), layer, nn.Linear(32, 2))
    return model.to(device)


build(torch.device("cuda:0"))
