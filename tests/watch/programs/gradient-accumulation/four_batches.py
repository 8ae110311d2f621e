import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(20):
    x = torch.randn(8, 4)
    loss = nn.functional.mse_loss(net(x), x[:, :1])
    loss = loss / 4  # fixed
    loss.backward()  # here
    if step % 4 == 3:
        optimizer.step()
        optimizer.zero_grad()
