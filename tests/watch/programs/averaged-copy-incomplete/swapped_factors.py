import copy

import torch
from torch import nn

torch.manual_seed(0)
q = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target = copy.deepcopy(q)
tau = 0.005
optimizer = torch.optim.Adam(q.parameters(), lr=1e-3)
for step in range(160):
    obs, reward = torch.randn(32, 4), torch.randn(32)
    with torch.no_grad():
        goal = reward + 0.9 * target(obs.roll(1, 0)).max(1).values
    loss = nn.functional.smooth_l1_loss(q(obs)[:, 0], goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for mine, theirs in zip(target.parameters(), q.parameters()):  # here
        mine.data.mul_(tau).add_(theirs.data, alpha=1 - tau)  # broken
        mine.data.mul_(1 - tau).add_(theirs.data, alpha=tau)  # fixed
