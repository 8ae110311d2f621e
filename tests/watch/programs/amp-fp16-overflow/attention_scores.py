import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(64, 8)
net = net.half()  # broken
with torch.no_grad():
    net.weight.fill_(30.0)
x = torch.full((4, 64), 60.0, dtype=net.weight.dtype)
with torch.no_grad():
    print(net(x).max())  # here
