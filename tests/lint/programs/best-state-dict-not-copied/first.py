import torch
from torch import nn


class EarlyStopping:
    def __init__(self, patience=3):
        self.best_loss, self.best_weights, self.bad, self.patience = float("inf"), None, 0, patience

    def __call__(self, loss, model):
        if loss < self.best_loss:
            self.best_loss, self.bad = loss, 0
            self.best_weights = model.state_dict()  # broken, here
            self.best_weights = {k: v.clone() for k, v in model.state_dict().items()}  # fixed
        else:
            self.bad += 1
        return self.bad >= self.patience


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
stopper = EarlyStopping()
for epoch in range(20):
    optimizer.zero_grad()
    loss = model(torch.rand(8, 4)).square().mean()
    loss.backward()
    optimizer.step()
    if stopper(loss.item(), model):
        break
model.load_state_dict(stopper.best_weights)
