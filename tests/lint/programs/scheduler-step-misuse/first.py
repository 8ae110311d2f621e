import torch
from torch import nn

def make(model, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return optimizer, torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)

class Learner:
    def __init__(self, model, num_epochs):
        self.model = model
        self.optimizer, self.schedule = make(model, num_epochs)

    def one_pass(self, loader):
        for x in loader:
            self.optimizer.zero_grad()
            self.model(x).mean().backward()
            self.optimizer.step()
            self.schedule.step()  # broken, here

    def fit(self, loader, num_epochs):
        for epoch in range(num_epochs):
            self.one_pass(loader)
            self.schedule.step()  # fixed
