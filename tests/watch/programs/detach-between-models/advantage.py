import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(4, 16), nn.Tanh())
actor, critic = nn.Linear(16, 3), nn.Linear(16, 1)
optimizer = torch.optim.Adam([*body.parameters(), *actor.parameters(), *critic.parameters()], lr=0.01)
for update in range(20):
    logs, values, rewards = [], [], []
    for _ in range(5):
        state = body(torch.randn(8, 4))
        policy = Categorical(logits=actor(state))
        action = policy.sample()
        logs.append(policy.log_prob(action))
        values.append(critic(state).squeeze(-1))
        rewards.append((action == 1).float())
    advantage = torch.stack(rewards) - torch.stack(values)
    policy_loss = -(torch.stack(logs) * advantage).mean()  # broken, here
    policy_loss = -(torch.stack(logs) * advantage.detach()).mean()  # fixed
    loss = policy_loss + 0.5 * advantage.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
