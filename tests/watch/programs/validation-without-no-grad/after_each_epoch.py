import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(3):
    net.train()
    for _ in range(3):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(torch.randn(8, 4)), torch.randint(0, 2, (8,))).backward()
        optimizer.step()
    net.eval()
    with torch.enable_grad():  # broken
    with torch.no_grad():  # fixed
        hits = sum((net(torch.randn(8, 4)).argmax(1) == 1).sum().item() for _ in range(4))  # here
print(hits)
