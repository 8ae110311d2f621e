import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(net[2].parameters(), 0.1)
for _ in range(8):
    net.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(16, 6)), torch.randint(0, 2, (16,))).backward()
    opt.step()
