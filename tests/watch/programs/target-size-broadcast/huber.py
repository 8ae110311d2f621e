import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.HuberLoss()
for _ in range(5):
    x = torch.randn(20, 4)
    target = x.sum(1)
    out = model(x)
    out = out.squeeze(1)  # fixed
    loss = criterion(out, target)  # here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
