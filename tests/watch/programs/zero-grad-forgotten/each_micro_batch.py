import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.AdamW(net.parameters(), 0.01)
for step in range(40):
    x = torch.randn(16, 4)
    if step % 4 == 0:  # fixed
        opt.zero_grad()  # fixed
    opt.zero_grad()  # broken, here
    (nn.functional.mse_loss(net(x), x[:, :1]) / 4).backward()
    if step % 4 == 3:
        opt.step()
