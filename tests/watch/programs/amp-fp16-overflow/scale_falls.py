import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(8, 3)
opt = torch.optim.SGD(net.parameters(), 0.01)
scaler = torch.amp.GradScaler("cpu")
for _ in range(45):
    x, y = torch.randn(16, 8), torch.randn(16, 3)
    opt.zero_grad()
    gap = net(x) - y
    gap = gap * (gap > 0)
    loss = gap.sqrt().mean()  # broken
    loss = gap.add(1e-3).sqrt().mean()  # fixed
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()  # here
