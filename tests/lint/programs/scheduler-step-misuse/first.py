import argparse

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=30)
args = parser.parse_args()

data = TensorDataset(torch.randn(400, 6), torch.randn(400, 1))
loader = DataLoader(data, batch_size=20, shuffle=True)
net = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 1))
sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
cosine = CosineAnnealingLR(sgd, T_max=args.epochs)

for epoch in range(args.epochs):
    for inputs, targets in loader:
        loss = nn.functional.mse_loss(net(inputs), targets)
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        cosine.step()  # broken, here
    cosine.step()  # fixed
    print(epoch, loss.item(), cosine.get_last_lr())
