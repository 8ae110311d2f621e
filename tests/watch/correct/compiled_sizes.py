"""A compiled model, trained and evaluated, with last batches that are smaller, one of them of a single sample."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.LayerNorm(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 2))
fast = torch.compile(net, backend="eager")
opt = torch.optim.Adam(net.parameters(), 1e-2)
x, y = torch.randn(33, 5), torch.randint(0, 2, (33,))
for epoch in range(3):
    fast.train()
    for rows in torch.randperm(33).split(8):
        opt.zero_grad()
        nn.functional.cross_entropy(fast(x[rows]), y[rows]).backward()
        opt.step()
    fast.eval()
    with torch.no_grad():
        for rows in torch.arange(29).split(7):
            fast(x[rows]).argmax(1)
