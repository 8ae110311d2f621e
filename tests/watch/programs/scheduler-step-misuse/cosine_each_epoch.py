import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
train = DataLoader(TensorDataset(torch.randn(60, 4), torch.randn(60, 1)), batch_size=10, shuffle=True)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), 0.05)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 4 * len(train))
for epoch in range(4):
    for x, y in train:
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
        schedule.step()  # fixed
    schedule.step()  # broken, here
