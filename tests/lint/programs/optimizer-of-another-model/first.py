import copy
import torch
from torch import nn

class Agent:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.target = copy.deepcopy(self.net)
        self.optimizer = torch.optim.Adam(self.target.parameters())  # broken, here
        self.optimizer = torch.optim.Adam(self.net.parameters())  # fixed

    def learn(self, s, a, r, t):
        with torch.no_grad():
            wanted = r + self.target(t).max(1).values
        loss = (self.net(s).gather(1, a)[:, 0] - wanted).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
