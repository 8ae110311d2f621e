import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(3, 2)

    def forward(self, x):
        return self.one(x)


net = Net()
net.register_forward_hook(lambda module, inputs, output: print(output.shape))
with torch.no_grad():
    net.forward(torch.zeros(2, 3))  # broken, here
    net(torch.zeros(2, 3))  # fixed
