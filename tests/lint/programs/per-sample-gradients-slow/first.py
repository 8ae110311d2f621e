import torch
from torch import nn

net = nn.Linear(6, 3)
inputs, classes = torch.rand(32, 6), torch.randint(0, 3, (32,))
each = nn.functional.cross_entropy(net(inputs), classes, reduction="none")
weights = list(net.parameters())
table = [torch.autograd.grad(one, weights, retain_graph=True) for one in each]  # broken, here
table = torch.autograd.grad(each.mean(), weights)  # fixed
print(len(table))
