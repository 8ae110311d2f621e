import torch
from torch import nn


class Average:
    def __init__(self, net):
        self.held = [p.data for p in net.parameters()]  # broken
        self.held = [p.detach().clone() for p in net.parameters()]  # fixed

    @torch.no_grad()
    def update(self, net):
        for held, p in zip(self.held, net.parameters()):
            held.mul_(0.9).add_(p, alpha=0.1)  # here


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.AdamW(net.parameters(), 1e-3)
average = Average(net)
for step in range(12):
    x = torch.randn(16, 4)
    opt.zero_grad()
    nn.functional.mse_loss(net(x), x[:, :1]).backward()
    opt.step()
    average.update(net)
