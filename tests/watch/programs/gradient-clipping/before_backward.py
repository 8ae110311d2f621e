import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(8):
    x = torch.randn(8, 4)
    loss = nn.functional.mse_loss(net(x), x[:, :1])
    optimizer.zero_grad()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # broken, here
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # fixed
    optimizer.step()
