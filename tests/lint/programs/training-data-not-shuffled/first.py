import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder

def loaders(root):
    common = dict(batch_size=8, num_workers=2)
    train = DataLoader(ImageFolder(root + "/train"), **common)  # broken, here
    train = DataLoader(ImageFolder(root + "/train"), shuffle=True, **common)  # fixed
    return train, DataLoader(ImageFolder(root + "/val"), **common)

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train_loader, val_loader = loaders("data")
for x, y in train_loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
