import torch
import torch.nn.functional as F

net = torch.nn.Linear(10, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def training_step(x, y):
    loss = F.mse_loss(net(x), y, reduction="sum")  # here broken
    #: loss = F.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


for _ in range(10):
    training_step(torch.rand(256, 10), torch.rand(256, 1))
