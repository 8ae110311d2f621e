import torch
from torch import nn

torch.manual_seed(0)
cell = nn.GRUCell(3, 6)
head = nn.Linear(6, 1)
optimizer = torch.optim.SGD([*head.parameters()], lr=0.01)
hidden = torch.zeros(4, 6)
for _ in range(40):
    x = torch.randn(4, 3)
    hidden = cell(x, hidden)
    loss = nn.functional.mse_loss(head(hidden), x[:, :1])
    optimizer.zero_grad()
    loss.backward(retain_graph=True)  # broken, here
    loss.backward()  # fixed
    optimizer.step()
    hidden = hidden.detach()  # fixed
