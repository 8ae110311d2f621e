import torch
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
net = nn.Sequential(backbone, nn.Linear(8, 2))
backbone.requires_grad_(False)
optimizer = torch.optim.Adam(net[1].parameters(), lr=0.01)
for _ in range(5):
    net.train()
    backbone.eval()  # fixed
    out = net(torch.randn(16, 4))  # here
    optimizer.zero_grad()
    nn.functional.cross_entropy(out, torch.randint(0, 2, (16,))).backward()
    optimizer.step()
