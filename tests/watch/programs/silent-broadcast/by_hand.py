import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(5):
    x = torch.randn(20, 4)
    y = x.sum(1)
    out = model(x)
    out = out[:, 0]  # fixed
    loss = ((out - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()  # here
    optimizer.step()
