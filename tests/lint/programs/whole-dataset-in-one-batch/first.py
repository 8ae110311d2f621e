import torch
from torch.utils.data import DataLoader, TensorDataset

images = TensorDataset(torch.rand(10000, 3, 64, 64))
everything = DataLoader(images, batch_size=len(images))  # broken, here
everything = DataLoader(images, batch_size=64)  # fixed
net = torch.nn.Conv2d(3, 32, 3)
for (batch,) in everything:
    print(net(batch).mean())
