import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
opt = torch.optim.Adam(policy.parameters(), 1e-2)
for _ in range(8):
    logs, rewards = [], []
    state = torch.randn(3)
    for _ in range(10):
        choice = Categorical(logits=policy(state))
        action = choice.sample()
        logs.append(choice.log_prob(action))
        rewards.append(float(action == 1))
        state = torch.randn(3)
    returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    opt.zero_grad()
    (-torch.stack(logs) * returns).sum().backward()
    opt.step()
