import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(20, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=3.0)  # broken
optimizer = torch.optim.SGD(net.parameters(), lr=0.03)  # fixed
for _ in range(15):
    x = torch.randn(64, 20)
    loss = nn.functional.mse_loss(net(x), x[:, :1])
    optimizer.zero_grad()
    loss.backward()  # here
    optimizer.step()
