import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
opt = torch.optim.AdamW(net.parameters(), 1e-2)
warm = torch.optim.lr_scheduler.LinearLR(opt, 0.5, total_iters=4)
for batch in range(6):
    warm.step()  # broken, here
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(8, 4)), torch.randint(0, 2, (8,))).backward()
    opt.step()
    warm.step()  # fixed
