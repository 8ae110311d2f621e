"""A generator in training mode whose result goes through a layer without weights into what learns from it."""

import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
squash, norm = nn.Tanh(), nn.BatchNorm1d(2, affine=False)
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
first = torch.optim.Adam(generator.parameters(), 1e-3)
second = torch.optim.Adam(critic.parameters(), 1e-3)
for _ in range(6):
    loss = criterion(critic(norm(squash(generator(torch.randn(16, 4))))), torch.ones(16, 1))
    first.zero_grad()
    loss.backward()
    first.step()
    with torch.no_grad():
        made = squash(generator(torch.randn(16, 4)))
    second.zero_grad()
    raw = generator(torch.randn(16, 4))
    unfair = criterion(critic(made), torch.zeros(16, 1)) + criterion(critic(raw.detach()), torch.zeros(16, 1))
    unfair.backward()
    second.step()
