"""Q-learning that adds the value of the next state at the end of an episode as well: the value of one certain reward of 1 rises without end towards 1 / (1 - gamma). With (1 - done) it is 1."""

import json
import sys

import torch
from torch import nn

GAMMA = 0.9


def train(use_done):
    torch.manual_seed(0)
    q = nn.Linear(2, 1)
    optimizer = torch.optim.Adam(q.parameters(), lr=0.05)
    state = torch.tensor([[1.0, 0.5]]).repeat(16, 1)  # each step is the last of its episode
    reward, done = torch.ones(16, 1), torch.ones(16, 1)
    for _ in range(600):
        with torch.no_grad():
            following = q(state)
        target = reward + GAMMA * following
        if use_done:
            target = reward + GAMMA * (1 - done) * following
        optimizer.zero_grad()
        nn.functional.mse_loss(q(state), target).backward()
        optimizer.step()
    value = q(state)[0].item()
    print(json.dumps({"learned_value": round(value, 2), "true_value": 1.0}))
    if abs(value - 1) > 1:
        sys.exit(f"symptom: a state whose episode ends with a reward of 1 is worth {value:.1f} to the network")


def broken():
    train(use_done=False)


def fixed():
    train(use_done=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
