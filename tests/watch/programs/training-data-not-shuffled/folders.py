import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
labels = torch.arange(4).repeat_interleave(20)
data = TensorDataset(torch.randn(80, 4) + labels[:, None], labels)
net = nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
loader = DataLoader(data, batch_size=8)  # broken
loader = DataLoader(data, batch_size=8, shuffle=True)  # fixed
for _ in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()  # here
        optimizer.step()
