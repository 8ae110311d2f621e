import torch
from torch import nn

torch.manual_seed(3)
net = nn.Linear(6, 3)
opt = torch.optim.SGD(net.parameters(), 0.05)
scaler = torch.amp.GradScaler("cpu")
for _ in range(6):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(torch.randn(12, 6)), torch.randint(0, 3, (12,)))
    scaler.scale(loss).backward()
    scaler.unscale_(opt)  # fixed
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # here
    scaler.step(opt)
    scaler.update()
