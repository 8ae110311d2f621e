import torch
from torch import nn

trunk, actor, critic = nn.Linear(4, 8), nn.Linear(8, 2), nn.Linear(8, 1)
first = torch.optim.Adam([*trunk.parameters(), *actor.parameters()])
second = torch.optim.Adam(critic.parameters())
for states, returns in batches:
    seen = torch.relu(trunk(states))
    value = critic(seen).squeeze(1)  # broken
    value = critic(seen.detach()).squeeze(1)  # fixed
    policy_loss = torch.log_softmax(actor(seen), 1)[:, 0].mean()
    value_loss = (value - returns).square().mean()
    first.zero_grad()
    second.zero_grad()
    policy_loss.backward()
    first.step()
    value_loss.backward()  # here
    second.step()
