import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)


def epoch():
    running = 0.0
    for _ in range(30):
        x = torch.randn(16, 4)
        loss = nn.functional.mse_loss(net(x), x[:, :1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss  # broken, here
        running += loss.item()  # fixed
    return float(running)


print(epoch())
