import torch
from torch import nn

criterion = nn.MSELoss()
summed = nn.MSELoss(reduction="sum")


def evaluate(net, loader):
    total, whole = 0.0, 0.0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(net(x), y).item()  # broken
            total += criterion(net(x), y).item() * len(x)  # fixed
            whole += summed(net(x), y).item()
    print(whole / len(loader.dataset))
    return total / len(loader.dataset)  # broken, here
    return total / len(loader.dataset)  # fixed
