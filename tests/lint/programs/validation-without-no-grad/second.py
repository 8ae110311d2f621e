import torch
import torch.nn as nn


class Runner:
    def __init__(self, model):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()

    def train_epoch(self, loader, optimizer):
        self.model.train()
        for x, y in loader:
            optimizer.zero_grad()
            self.criterion(self.model(x), y).backward()
            optimizer.step()

    #: @torch.inference_mode()
    def validate(self, loader):
        self.model.eval()
        losses = []
        for x, y in loader:
            out = self.model(x)  # here
            losses.append(self.criterion(out, y).item())
        return sum(losses) / len(losses)


runner = Runner(nn.Linear(5, 3))
batches = [(torch.rand(4, 5), torch.randint(0, 3, (4,)))]
runner.train_epoch(batches, torch.optim.SGD(runner.model.parameters(), lr=0.1))
print(runner.validate(batches))
