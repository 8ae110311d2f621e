import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = (torch.rand(400) < 0.1).long()
data = TensorDataset(torch.randn(400, 6) + labels[:, None], labels)
per_class = 1.0 / labels.bincount()
sampler = WeightedRandomSampler(per_class, len(data))  # broken, here
sampler = WeightedRandomSampler(per_class[labels], len(data))  # fixed
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for x, y in DataLoader(data, batch_size=40, sampler=sampler):
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
