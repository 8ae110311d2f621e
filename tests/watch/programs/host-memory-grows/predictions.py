import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(16, 600)
opt = torch.optim.SGD(net.parameters(), 0.1)
predictions, right = [], torch.zeros(())
for step in range(200):
    x, y = torch.randn(512, 16), torch.randint(0, 600, (512,))
    out = net(x)
    opt.zero_grad()
    nn.functional.cross_entropy(out, y).backward()
    opt.step()
    predictions.append(out.detach())  # broken, here
    predictions.append(out.detach().argmax(1))  # fixed
