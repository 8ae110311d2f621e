"""The loss of a value network jumps by some hundred times when the first crash is drawn, and comes down again."""

import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)


class Lander:
    """Falls for 60 to 120 steps with small rewards; a crash costs 100."""

    def reset(self):
        self.t, self.end = 0, random.randint(60, 120)
        self.s = torch.randn(8)
        return self.s

    def step(self, action):
        self.t += 1
        self.s = 0.9 * self.s + 0.1 * torch.randn(8)
        done = self.t >= self.end
        reward = -100.0 if done else random.uniform(-1, 1)
        return self.s, reward, done


net, target = [nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 4)) for _ in range(2)]
target.load_state_dict(net.state_dict())
optimizer = torch.optim.Adam(net.parameters(), lr=5e-4)
criterion = nn.MSELoss()
memory, env = [], Lander()
for episode in range(12):
    s, done = env.reset(), False
    while not done:
        a = random.randrange(4)
        s2, r, done = env.step(a)
        memory.append((s, a, r, s2, float(done)))
        s = s2
        if len(memory) >= 64:
            b = random.sample(memory, 64)
            S, S2 = torch.stack([x[0] for x in b]), torch.stack([x[3] for x in b])
            A = torch.tensor([x[1] for x in b])
            R, D = torch.tensor([x[2] for x in b]), torch.tensor([x[4] for x in b])
            with torch.no_grad():
                y = R + 0.99 * (1 - D) * target(S2).max(1).values
            loss = criterion(net(S).gather(1, A[:, None])[:, 0], y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    target.load_state_dict(net.state_dict())
