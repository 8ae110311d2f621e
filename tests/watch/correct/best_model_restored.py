import copy

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), 1e-2)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
x, best, kept = torch.randn(64, 4), float("inf"), None
y = x[:, :1] * 2
history = []
for epoch in range(6):
    net.train()
    total = 0.0
    for part in torch.randperm(64).split(16):
        loss = nn.functional.mse_loss(net(x[part]), y[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(part)
    history.append(total / 64)
    net.eval()
    with torch.no_grad():
        value = nn.functional.mse_loss(net(x), y).item()
    plateau.step(value)
    if value < best:
        best, kept = value, copy.deepcopy(net.state_dict())
net.load_state_dict(kept)
