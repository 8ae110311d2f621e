import torch
from torch import nn

torch.manual_seed(0)
cell, head = nn.GRUCell(3, 6), nn.Linear(6, 2)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], 1e-2)
for step in range(40):
    length = int(torch.randint(2, 12, ()))
    h = torch.zeros(4, 6)
    for _ in range(length):
        h = cell(torch.randn(4, 3), h)
    loss = nn.functional.cross_entropy(head(h), torch.randint(0, 2, (4,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
