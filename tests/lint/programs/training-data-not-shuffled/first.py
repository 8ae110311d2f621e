import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

train_set = datasets.CIFAR10("data", train=True, transform=transforms.ToTensor())
train_loader = DataLoader(train_set, batch_size=128, num_workers=2)  # broken, here
train_loader = DataLoader(train_set, batch_size=128, num_workers=2, shuffle=True)  # fixed
test_loader = DataLoader(datasets.CIFAR10("data", train=False), batch_size=256)
model = nn.Sequential(nn.Flatten(), nn.Linear(3072, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
