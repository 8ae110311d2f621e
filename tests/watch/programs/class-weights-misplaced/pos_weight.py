import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(500, 5)
y = (x[:, :1] > 1.0).float()
positive = y.mean()
weight = positive / (1 - positive)  # broken
weight = (1 - positive) / positive  # fixed
criterion = nn.BCEWithLogitsLoss(pos_weight=weight)
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(10):
    rows = torch.randperm(len(x))[:50]
    loss = criterion(net(x[rows]), y[rows])  # here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
