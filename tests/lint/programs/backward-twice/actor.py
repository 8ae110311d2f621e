import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
first, second = (torch.optim.Adam(each.parameters()) for each in (actor, critic))
for states, returns in batches:
    chances = torch.log_softmax(actor(states), 1)
    gain = returns - critic(states).squeeze(1)
    policy_loss = -(chances[:, 0] * gain).mean()  # broken, here
    policy_loss = -(chances[:, 0] * gain.detach()).mean()  # fixed
    value_loss = gain.square().mean()
    policy_loss.backward()
    first.step()
    value_loss.backward()
    second.step()
