import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
x = torch.randn(200, 6)
everything = TensorDataset(x, (x[:, 0] > 0).long())
train = random_split(everything, [160, 40])[0]  # broken
val = random_split(everything, [160, 40])[1]  # broken
train, val = random_split(everything, [160, 40])  # fixed
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    net.train()
    for x, y in DataLoader(train, batch_size=16, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        right = 0
        for x, y in DataLoader(val, batch_size=20):  # broken, here
            right += int((net(x).argmax(1) == y).sum())  # broken
        for x, y in DataLoader(val, batch_size=20):  # fixed
            right += int((net(x).argmax(1) == y).sum())  # fixed
