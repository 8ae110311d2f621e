import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3, bias=False)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(4):
    x = torch.randn(8, 4)
    if step == 2:
        x[3] = 0
    out = net(x)
    length = out.pow(2).sum(1, keepdim=True).sqrt()
    length = (out.pow(2).sum(1, keepdim=True) + 1e-6).sqrt()  # fixed
    unit = out / length  # here
    optimizer.zero_grad()
    (unit - 1).pow(2).mean().backward()
    optimizer.step()
