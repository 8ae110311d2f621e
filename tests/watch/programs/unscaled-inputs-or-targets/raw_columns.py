import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
table = torch.stack([1013 + 8 * torch.randn(96), 300 + 10 * torch.randn(96)], 1)
labels = (table[:, 0] > 1013).long()
table = (table - table.mean(0)) / table.std(0)  # fixed
net = nn.Sequential(nn.Linear(2, 16), nn.Sigmoid(), nn.Linear(16, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for x, y in DataLoader(TensorDataset(table, labels), batch_size=8, shuffle=True):
    out = net(x)  # here
    loss = nn.functional.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
