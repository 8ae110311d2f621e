import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2))
print(torch.jit.script(net)(torch.zeros(1, 5)).shape)
print(torch.jit.trace(net, torch.zeros(1, 5))(torch.zeros(2, 5)).shape)
fast = torch.compile(net, backend="eager", fullgraph=True)
opt = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(4):
    opt.zero_grad()
    nn.functional.cross_entropy(fast(torch.randn(8, 5)), torch.randint(0, 2, (8,))).backward()
    opt.step()
