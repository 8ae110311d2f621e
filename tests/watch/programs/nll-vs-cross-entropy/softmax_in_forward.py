import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x):
        out = self.two(F.relu(self.one(x)))
        out = F.softmax(out, dim=-1)  # broken
        return out


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(5):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(torch.randn(12, 8)), torch.randint(0, 4, (12,)))  # here
    loss.backward()
    optimizer.step()
