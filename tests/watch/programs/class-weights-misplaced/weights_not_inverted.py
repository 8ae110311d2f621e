import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 5)
y = torch.where(x[:, 0] > 1.2, 2, torch.where(x[:, 1] > 0.8, 1, 0))
share = y.bincount(minlength=3) / len(y)
criterion = nn.CrossEntropyLoss(weight=share)  # broken
criterion = nn.CrossEntropyLoss(weight=1 / share)  # fixed
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(10):
    rows = torch.randperm(len(x))[:60]
    loss = criterion(net(x[rows]), y[rows])  # here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
