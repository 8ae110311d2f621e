import torch
from torch import nn


class Meter:
    def __init__(self):
        self.total = 0.0


def train(model, loader, optimizer):
    running = 0.0
    for step, (x, y) in enumerate(loader, 1):
        optimizer.zero_grad()
        loss = nn.functional.smooth_l1_loss(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss * x.size(0)  # broken, here
        running += loss.item() * x.size(0)  # fixed
        print(step, running / step)


net = nn.Linear(4, 2)
train(net, [(torch.rand(4, 4), torch.rand(4, 2))] * 3, torch.optim.SGD(net.parameters(), lr=0.1))
