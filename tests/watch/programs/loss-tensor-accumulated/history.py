import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01)
        self.history = []

    def fit(self):
        for _ in range(40):
            x = torch.randn(16, 4)
            loss = nn.functional.mse_loss(self.net(x), x[:, :1])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.history.append(loss)  # broken, here
            self.history.append(loss.detach())  # fixed


torch.manual_seed(0)
Trainer().fit()
