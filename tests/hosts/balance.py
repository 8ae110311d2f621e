"""A cart that learns by rewards: log probabilities kept over an episode, returns, one step a batch."""

import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(states, 12), nn.Tanh(), nn.Linear(12, actions))

    def forward(self, state):
        return Categorical(logits=self.net(state))


def move(state, action):
    push = 1.0 if action == 1 else -1.0
    state = state * 0.9 + torch.tensor([0.1, 0.0, 0.2, 0.0]) * push
    return state, -float(state.abs().sum())


torch.manual_seed(12)
policy = Policy(4, 2)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
totals = []
for episode in range(3):
    state, logs, rewards = torch.randn(4), [], []
    for step in range(6):
        choice = policy(state)
        action = choice.sample()
        logs.append(choice.log_prob(action))
        state, reward = move(state, action.item())
        rewards.append(reward)
    returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    loss = -(torch.stack(logs) * returns).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    totals.append(sum(rewards))
print([round(each, 4) for each in totals])
