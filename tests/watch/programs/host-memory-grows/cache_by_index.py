import numpy as np
import torch
from torch import nn


class Features:
    def __init__(self):
        self.cache = {}

    def of(self, index):
        if index not in self.cache:
            made = np.random.RandomState(index).rand(256, 1024).astype("float32")  # broken
            self.cache[index] = made  # broken, here
            self.cache[index] = np.random.RandomState(index).rand(4, 1024).astype("float32")  # fixed
        return torch.from_numpy(self.cache[index][:4])


def train(features):
    net = nn.Linear(1024, 3)
    opt = torch.optim.SGD(net.parameters(), 0.01)
    for step in range(240):
        x = features.of(step)
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), torch.randint(0, 3, (4,))).backward()
        opt.step()


torch.manual_seed(0)
train(Features())
