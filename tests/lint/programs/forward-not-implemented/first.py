from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def foward(self, x):  # broken, here
    def forward(self, x):  # fixed
        return self.inner(x)
