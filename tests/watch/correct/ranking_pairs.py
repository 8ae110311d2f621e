import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), 0.01)
for _ in range(8):
    x = torch.randn(10, 5)
    score, wanted = net(x).squeeze(1), x[:, 0]
    gap = score[:, None] - score[None, :]
    sign = torch.sign(wanted[:, None] - wanted[None, :])
    opt.zero_grad()
    torch.relu(1 - gap * sign).mean().backward()
    opt.step()
