import copy

import torch
from torch import nn


def fit(net: nn.Module, epochs, run, validate):
    best_acc, best_state, best_loss, best_delta = 0.0, None, float("inf"), None
    for epoch in range(epochs):
        run(net)
        val_acc, val_loss, delta = validate(net)
        if val_acc < best_acc:  # broken, here
        if val_acc > best_acc:  # fixed
            best_acc, best_state = val_acc, copy.deepcopy(net.state_dict())
        if val_loss < best_loss:
            best_loss = val_loss
            torch.save(net.state_dict(), "lowest.pt")
    return best_state


def attack(net, criterion, x, y, tries):
    best_loss, best_delta = 0.0, None
    for _ in range(tries):
        delta = torch.randn_like(x)
        loss = criterion(net(x + delta), y)
        if loss > best_loss:
            best_loss, best_delta = loss, delta
    return best_delta
