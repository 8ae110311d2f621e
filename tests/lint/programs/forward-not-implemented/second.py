import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

        def forward(self, x):  # broken, here
            return x + self.fc(x)  # broken

    def forward(self, x):  # fixed
        return x + self.fc(x)  # fixed


print(Block(4)(torch.rand(2, 4)))
