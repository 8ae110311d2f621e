import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=1e-9)  # broken
optimizer = torch.optim.SGD(net.parameters(), lr=1e-2)  # fixed
for _ in range(20):
    x = torch.randn(32, 4)
    price = 200000 + 50000 * x[:, :1]
    price = (price - 200000) / 50000  # fixed
    loss = nn.functional.mse_loss(net(x), price)  # here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
