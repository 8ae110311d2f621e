import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 5)
x[40, 2] = float("nan")
x = torch.nan_to_num(x)  # fixed
net = nn.Sequential(nn.Linear(5, 5), nn.ReLU(), nn.Linear(5, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for batch, y in DataLoader(TensorDataset(x, torch.randn(64, 1)), batch_size=8):
    out = net(batch)  # here
    optimizer.zero_grad()
    nn.functional.mse_loss(out, y).backward()
    optimizer.step()
