import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.rand(512, 12), torch.randint(0, 5, (512,)))
loader = DataLoader(data, batch_size=32, shuffle=True)

net = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 5))
sgd = optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cuda")
objective = nn.CrossEntropyLoss()

for epoch in range(3):
    for inputs, classes in loader:
        sgd.zero_grad()
        value = objective(net(inputs), classes)
        scaler.scale(value).backward()
        sgd.step()  # broken, here
        scaler.step(sgd)  # fixed
        scaler.update()
