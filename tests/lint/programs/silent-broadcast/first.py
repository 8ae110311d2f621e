import torch
from torch import nn

class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, o, a):
        return self.net(torch.cat([o, a], -1))

critic, target = Critic(), Critic()
for o, a, r, p in loader:
    q = critic(o, a)  # broken
    q = critic(o, a).squeeze(-1)  # fixed
    with torch.no_grad():
        wanted = r + 0.99 * target(p, a).squeeze(-1)
    loss = ((q - wanted) ** 2).mean()  # here
    loss.backward()
