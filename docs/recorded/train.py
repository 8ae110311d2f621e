"""A small network whose last layer expects another number of features."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(4))
        self.head = nn.Linear(2048, 10)

    def forward(self, x):
        x = self.features(x).flatten(1)
        return self.head(x)


print(Net()(torch.randn(16, 3, 28, 28)).shape)
