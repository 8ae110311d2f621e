import torch
from torch import nn

torch.manual_seed(0)
trunk = nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 32, 3), nn.BatchNorm2d(32), nn.Flatten())
head = nn.Linear(32 * 16, 4)
with torch.no_grad():
    trunk[0].bias[1:] = -9.0  # broken
    trunk[0].bias.zero_()  # fixed
opt = torch.optim.SGD([*trunk.parameters(), *head.parameters()], 0.01)
for step in range(40):
    y = torch.randint(0, 4, (80,))
    x = torch.randn(80, 1, 8, 8) + y.view(-1, 1, 1, 1) / 4
    features = trunk(x)  # here
    loss = nn.functional.cross_entropy(head(features), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
