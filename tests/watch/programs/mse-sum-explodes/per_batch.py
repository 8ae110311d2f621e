import torch
from torch import nn

torch.manual_seed(5)
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
criterion = nn.MSELoss(reduction="sum")  # broken
criterion = nn.MSELoss(reduction="mean")  # fixed
for _ in range(20):
    x = torch.randn(256, 10)
    optimizer.zero_grad()
    loss = criterion(net(x), x)  # here
    loss.backward()
    optimizer.step()
