import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(8):
    x, y = torch.randn(16, 6), torch.randint(0, 2, (16,))
    x.requires_grad_(True)
    (slope,) = torch.autograd.grad(nn.functional.cross_entropy(net(x), y), x)
    worse = (x + 0.1 * slope.sign()).detach()
    opt.zero_grad()
    nn.functional.cross_entropy(net(worse), y).backward()
    opt.step()
