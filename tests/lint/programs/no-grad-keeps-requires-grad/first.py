import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.rand(512, 12), torch.randint(0, 5, (512,)))
loader = DataLoader(data, batch_size=32, shuffle=True)

net = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 5))
with torch.no_grad():  # broken
    stem = nn.Linear(12, 12)  # broken, here
stem = nn.Linear(12, 12).requires_grad_(False)  # fixed
sgd = optim.SGD([*stem.parameters(), *net.parameters()], lr=0.05)
objective = nn.CrossEntropyLoss()

for epoch in range(3):
    for inputs, classes in loader:
        sgd.zero_grad()
        value = objective(net(stem(inputs)), classes)
        value.backward()
        sgd.step()
