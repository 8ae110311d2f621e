import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
x = torch.randn(40, 2)
y = x.prod(1, keepdim=True)
opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=5)


def closure():
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    return loss


for _ in range(12):
    opt.step(closure)
