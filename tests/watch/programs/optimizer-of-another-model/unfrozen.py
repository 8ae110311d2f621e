import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Sequential(nn.Linear(6, 8), nn.ReLU()), nn.Linear(8, 2)
body.requires_grad_(False)
optimizer = torch.optim.SGD([p for p in head.parameters()], lr=0.1)  # here
for epoch in range(4):
    if epoch == 2:
        body.requires_grad_(True)
        optimizer.add_param_group({"params": body.parameters()})  # fixed
    for _ in range(8):
        x = torch.randn(16, 6)
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(body(x)), (x[:, 0] > 0).long()).backward()
        optimizer.step()
