import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
x = torch.randn(300, 8)
data = TensorDataset(x, (x[:, :1] > 0).float())
kept, held_out = random_split(data, [240, 60])
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(4):
    kept, held_out = random_split(data, [240, 60])  # broken
    net.train()
    for inputs, labels in DataLoader(kept, batch_size=20, shuffle=True):
        loss = nn.functional.binary_cross_entropy_with_logits(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        inputs, labels = next(iter(DataLoader(held_out, batch_size=60)))
        print(nn.functional.binary_cross_entropy_with_logits(net(inputs), labels).item())  # here
