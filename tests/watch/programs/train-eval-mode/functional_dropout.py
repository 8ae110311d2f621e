import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(8, 16), nn.Linear(16, 1)

    def forward(self, x):
        x = torch.relu(self.one(x))
        x = F.dropout(x, 0.3)  # broken, here
        x = F.dropout(x, 0.3, training=self.training)  # fixed
        return self.two(x)


torch.manual_seed(0)
net = Net()
net.eval()
with torch.no_grad():
    print(net(torch.randn(2, 8)))
