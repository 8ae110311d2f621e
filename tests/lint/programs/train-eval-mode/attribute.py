import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    def train(self, loader):
        self.model.train()  # fixed
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()

    @torch.no_grad()
    def score(self, loader):
        self.model.eval()  # fixed
        return sum((self.model(x).argmax(1) == y).sum().item() for x, y in loader)  # broken, here
        return sum((self.model(x).argmax(1) == y).sum().item() for x, y in loader)  # fixed


trainer = Trainer(nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.5), nn.Linear(16, 2)))
for epoch in range(5):
    trainer.train(train_loader)
    print(trainer.score(test_loader))
