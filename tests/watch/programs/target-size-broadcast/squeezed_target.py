import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(60, 3), torch.randn(60))
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), 1e-3)
criterion = nn.L1Loss()
for x, y in DataLoader(data, batch_size=12, shuffle=True):
    out = net(x)
    out = out.squeeze(1)  # fixed
    loss = criterion(out, y)  # here
    opt.zero_grad()
    loss.backward()
    opt.step()
