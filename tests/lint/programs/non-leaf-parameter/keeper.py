import copy
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.seen = nn.Linear(4, 2), None

    def forward(self, x):
        h = self.body(x)
        self.seen = h  # broken, here
        self.seen = h.detach()  # fixed
        return h

net = Net()
average = copy.deepcopy(net)
