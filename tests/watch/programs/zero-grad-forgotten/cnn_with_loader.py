import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
loader = DataLoader(
    TensorDataset(torch.randn(64, 1, 8, 8), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True
)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))
optimizer = torch.optim.Adam(net.parameters())
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    for images, labels in loader:
        optimizer.zero_grad()  # fixed
        loss = criterion(net(images), labels)
        loss.backward()  # here
        optimizer.step()
