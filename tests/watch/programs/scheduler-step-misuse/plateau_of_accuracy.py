import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(400, 10)
y = (x[:, 0] + x[:, 1] > 0).long()
net = nn.Linear(10, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.02)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)  # broken
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=2)  # fixed
for epoch in range(8):
    for part in range(0, 300, 50):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x[part : part + 50]), y[part : part + 50]).backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (net(x[300:]).argmax(1) == y[300:]).float().mean()
    scheduler.step(accuracy)  # broken, here
    scheduler.step(accuracy)  # fixed
