import torch
from torch import nn

torch.manual_seed(2)
net = nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters(), 1e-3)
mean = torch.zeros(2)
for _ in range(40):
    out = net(torch.randn(16, 4))
    mean = 0.9 * mean + 0.1 * out.mean(0)
    loss = out.pow(2).mean() + (out - mean).abs().mean()
    opt.zero_grad(set_to_none=True)
    loss.backward(retain_graph=True)  # here
    with torch.no_grad():
        for one in net.parameters():
            one.data.add_(one.grad, alpha=-0.01)
    mean = mean.detach()  # fixed
    opt.step()
