import torch
from torch import nn

model = nn.Linear(64, 64).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_epoch(loader):
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).sum().backward()
        optimizer.step()
        torch.cuda.empty_cache()  # broken, here


for _ in range(3):
    train_epoch([torch.rand(8, 64) for _ in range(10)])
torch.cuda.empty_cache()  # fixed
