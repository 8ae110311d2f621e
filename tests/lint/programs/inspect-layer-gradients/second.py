import torch
from torch import nn


def train(model, loader, optimizer, criterion):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        if step % 10 == 0:  # broken
            for name, p in model.named_parameters():  # broken
                print(name, p.grad.norm())  # here broken
        criterion(model(x), y).backward()
        #: for name, p in model.named_parameters():
        #:     print(name, p.grad.norm())
        optimizer.step()


net = nn.Linear(4, 2)
batches = [(torch.rand(8, 4), torch.rand(8, 2)) for _ in range(20)]
train(net, batches, torch.optim.Adam(net.parameters()), nn.MSELoss())
