import torch
from torch import nn

torch.manual_seed(0)
y = torch.randint(0, 3, (120,)).sort()[0]
x = torch.randn(120, 6) + y[:, None]
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
opt = torch.optim.Adam(model.parameters(), 1e-3)
for epoch in range(2):
    order = torch.arange(120)  # broken
    order = torch.randperm(120)  # fixed
    for rows in order.split(10):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])  # here
        loss.backward()
        opt.step()
