import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.rand(100, 4), torch.randint(0, 3, (100,)))
loader = DataLoader(data, batch_size=20)
net = nn.Linear(4, 3)

right = 0
with torch.no_grad():
    for inputs, classes in loader:
        right += (net(inputs).argmax(1) == classes).sum().item()
print("accuracy", right / len(loader))  # broken, here
print("accuracy", right / len(loader.dataset))  # fixed
