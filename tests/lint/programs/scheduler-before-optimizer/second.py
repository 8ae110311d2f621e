import torch
from torch.optim.lr_scheduler import CosineAnnealingLR

model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = CosineAnnealingLR(optimizer, T_max=10)


def train_one_epoch():
    for _ in range(4):
        optimizer.zero_grad()
        model(torch.rand(2, 3)).sum().backward()
        optimizer.step()


for epoch in range(10):
    scheduler.step()  # here broken
    train_one_epoch()
    #: scheduler.step()
