import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, momentum):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, width, 3), nn.BatchNorm2d(width, eps=1e-3, momentum=momentum)

    def forward(self, x):
        return self.norm(self.conv(x)).relu().mean((2, 3))  # here


torch.manual_seed(0)
model = Block(8, 0.9)  # broken
model = Block(8, 0.1)  # fixed
optimizer = torch.optim.Adam(model.parameters(), 1e-3)
for _ in range(5):
    loss = nn.functional.cross_entropy(model(torch.randn(8, 3, 9, 9)), torch.randint(0, 8, (8,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
