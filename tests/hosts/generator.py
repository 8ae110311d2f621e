"""A generator and a discriminator trained against one another, two optimizers, labels of ones and zeros."""

import torch
from torch import nn

NOISE, DATA = 4, 6


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(NOISE, 16), nn.ReLU(), nn.Linear(16, DATA))

    def forward(self, z):
        return self.body(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(DATA, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1), nn.Sigmoid())

    def forward(self, x):
        return self.body(x).view(-1)


torch.manual_seed(6)
G, D = Generator(), Discriminator()
bce = nn.BCELoss()
opt_g = torch.optim.Adam(G.parameters(), lr=0.01)
opt_d = torch.optim.Adam(D.parameters(), lr=0.01)
seen = []
for step in range(3):
    real = torch.randn(8, DATA) + 2
    ones, zeros = torch.ones(8), torch.zeros(8)
    fake = G(torch.randn(8, NOISE))
    loss_d = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    loss_g = bce(D(fake), ones)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    seen.append((loss_d.item(), loss_g.item()))
print(" ".join(f"{d:.4f}/{g:.4f}" for d, g in seen))
