import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
pixels = torch.rand(240, 1, 8, 8)
labels = (pixels[:, 0, :4].mean((1, 2)) > 0.5).long()
train, val = pixels[:160], pixels[160:]
mean, std = train.mean(), train.std()
train = (train - mean) / std
val = (val - mean) / std  # fixed
net = nn.Sequential(nn.Flatten(), nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    net.train()
    for x, y in DataLoader(TensorDataset(train, labels[:160]), batch_size=16, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        for x, y in DataLoader(TensorDataset(val, labels[160:]), batch_size=20):
            predicted = net(x).argmax(1)  # broken, here
            predicted = net(x).argmax(1)  # fixed
