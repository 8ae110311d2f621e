import torch
from torch import nn


class Agent:
    def __init__(self, q, target, gamma=0.99):
        self.q, self.target, self.gamma = q, target, gamma

    def loss(self, batch):
        obs, actions, rewards, next_obs, dones = batch
        chosen = self.q(obs).gather(1, actions[:, None])[:, 0]
        with torch.no_grad():
            best = self.target(next_obs).max(1).values
            goal = rewards + self.gamma * best  # broken, here
            goal = rewards + self.gamma * best * (1 - dones)  # fixed
        return nn.functional.smooth_l1_loss(chosen, goal)

    def masked(self, batch):
        obs, actions, rewards, next_obs, dones = batch
        best = self.target(next_obs).max(1).values
        best[dones.bool()] = 0.0
        return rewards + self.gamma * best


def returns(rewards, gamma):
    total, found = 0.0, []
    for reward in reversed(rewards):
        total = reward + gamma * total
        found.insert(0, total)
    return found
