import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def step(self, x, y):
        loss = F.mse_loss(self.model(x), y, reduction="none")  # broken
        loss = F.mse_loss(self.model(x), y)  # fixed
        self.optimizer.zero_grad()
        loss.backward()  # here
        self.optimizer.step()


model = torch.nn.Linear(3, 2)
Trainer(model, torch.optim.SGD(model.parameters(), lr=0.1)).step(torch.rand(8, 3), torch.rand(8, 2))
