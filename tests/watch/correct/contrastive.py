import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.Adam(net.parameters(), 1e-2)
for _ in range(10):
    x, labels = torch.randn(12, 8), torch.randint(0, 3, (12,))
    one, two = F.normalize(net(x + 0.1 * torch.randn_like(x)), dim=1), F.normalize(net(x), dim=1)
    loss = F.cross_entropy(one @ two.t() / 0.1, torch.arange(12))
    same = labels == labels.view(-1, 1)
    loss = loss + 0.01 * (1 - one @ one.t())[same].mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
