import torch
from torch import nn

CONFIG = {"lr": 10.0, "epochs": 3}
LEARNING_RATE = 5.0  # broken
#: LEARNING_RATE = 5e-4


def fit(model, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)  # here
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


fit(nn.Linear(3, 1), [torch.rand(4, 3)] * 3)
