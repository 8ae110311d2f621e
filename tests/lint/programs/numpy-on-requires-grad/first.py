import torch
from torch import nn

net = nn.Linear(3, 2)
print(net(torch.rand(4, 3)).cpu().numpy())  # broken, here
print(net(torch.rand(4, 3)).detach().cpu().numpy())  # fixed
