import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Volumes(Dataset):
    def __init__(self):
        self.opened = []

    def __len__(self):
        return 240

    def __getitem__(self, index):
        volume = np.full((100, 1000), float(index))
        self.opened.append(volume)  # broken, here
        self.opened.append(index)  # fixed
        return volume[0, :32].astype("float32"), index % 2


torch.manual_seed(0)
net = nn.Linear(32, 2)
opt = torch.optim.SGD(net.parameters(), 0.001)
for epoch in range(2):
    for x, y in DataLoader(Volumes(), batch_size=4, shuffle=True, num_workers=1):
        opt.zero_grad()
        nn.functional.cross_entropy(net(x / 240), y).backward()
        opt.step()
