import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(120, 6)
y = (x[:, 0] > 0).long()
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def epoch():
    order = torch.randperm(120)
    labels = torch.randperm(120)  # broken
    labels = order  # fixed
    return zip(x[order].split(20), y[labels].split(20))


for _ in range(5):
    for inputs, targets in epoch():
        loss = nn.functional.cross_entropy(net(inputs), targets)  # broken, here
        loss = nn.functional.cross_entropy(net(inputs), targets)  # fixed
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
