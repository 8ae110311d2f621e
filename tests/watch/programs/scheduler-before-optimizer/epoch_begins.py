import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
for epoch in range(4):
    scheduler.step()  # broken, here
    for _ in range(3):
        x = torch.randn(16, 4)
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), x[:, :1]).backward()
        optimizer.step()
    scheduler.step()  # fixed
