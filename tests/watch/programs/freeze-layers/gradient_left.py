import torch
from torch import nn

torch.manual_seed(0)
first, second = nn.Linear(3, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.05)
for step in range(12):
    if step == 2:
        for parameter in first.parameters():
            parameter.requires_grad_(False)
            parameter.grad = None  # fixed
    x = torch.randn(8, 3)
    for parameter in second.parameters():
        parameter.grad = None
    if step < 2:
        for parameter in first.parameters():
            parameter.grad = None
    nn.functional.mse_loss(second(first(x)), x[:, :1]).backward()
    optimizer.step()  # here
