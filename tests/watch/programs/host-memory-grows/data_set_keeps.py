import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Signals(Dataset):
    def __init__(self):
        self.loaded = []

    def __len__(self):
        return 40

    def __getitem__(self, index):
        signal = torch.randn(50000)
        self.loaded.append(signal)  # broken, here
        self.loaded.append(signal.mean())  # fixed
        return signal[:64], index % 2


torch.manual_seed(0)
net = nn.Linear(64, 2)
opt = torch.optim.SGD(net.parameters(), 0.01)
loader = DataLoader(Signals(), batch_size=4, shuffle=True)
for epoch in range(24):
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
