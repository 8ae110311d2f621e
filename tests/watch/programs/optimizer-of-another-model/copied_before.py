import copy

import torch
from torch import nn

torch.manual_seed(0)
template = nn.Linear(6, 1)
model = copy.deepcopy(template)
optimizer = torch.optim.Adam(template.parameters(), lr=0.01)  # broken
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)  # fixed
for _ in range(6):
    x = torch.randn(8, 6)
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x[:, :1]).backward()
    optimizer.step()  # here
