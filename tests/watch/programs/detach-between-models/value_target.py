import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
loss_of = nn.SmoothL1Loss()


def targets(reward, state, done):
    best = net(state).max(1).values
    best = best.detach()  # fixed
    return reward + 0.99 * best * (1 - done)


for step in range(20):
    state, following = torch.randn(16, 4), torch.randn(16, 4)
    action, reward, done = torch.randint(0, 3, (16, 1)), torch.randn(16), (torch.rand(16) < 0.1).float()
    chosen = net(state).gather(1, action).squeeze(1)
    loss = loss_of(chosen, targets(reward, following, done))  # broken, here
    loss = loss_of(chosen, targets(reward, following, done))  # fixed
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
