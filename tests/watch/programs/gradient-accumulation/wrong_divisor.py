import torch
from torch import nn

torch.manual_seed(0)
ACCUMULATED, MICRO_BATCH = 4, 6
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(24):
    x = torch.randn(MICRO_BATCH, 4)
    out = net(x)
    loss = nn.functional.mse_loss(out, x[:, :1]) + nn.functional.l1_loss(out, x[:, :1])
    loss = loss / MICRO_BATCH  # broken
    loss = loss / ACCUMULATED  # fixed
    loss.backward()  # here
    if step % ACCUMULATED == ACCUMULATED - 1:
        optimizer.step()
        optimizer.zero_grad()
