import torch
from torch import nn


class Patience:
    def __init__(self, model):
        self.model, self.best, self.state = model, float("inf"), {}

    def seen(self, loss):
        if loss < self.best:
            self.best = loss
            self.state.update(self.model.state_dict())  # broken
            self.state.update({name: one.clone() for name, one in self.model.state_dict().items()})  # fixed

    def restore(self):
        self.model.load_state_dict(self.state)  # here


torch.manual_seed(1)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
optimizer = torch.optim.Adam(model.parameters(), 1e-2)
patience = Patience(model)
for epoch in range(4):
    for _ in range(3):
        x = torch.randn(16, 4)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long()).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        x = torch.randn(16, 4)
        patience.seen(nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long()).item())
    model.train()
patience.restore()
