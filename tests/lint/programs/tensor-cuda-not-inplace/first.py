import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.rand(512, 12), torch.randint(0, 5, (512,)))
loader = DataLoader(data, batch_size=32, shuffle=True)

net = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 5))
sgd = optim.SGD(net.parameters(), lr=0.05)
objective = nn.CrossEntropyLoss()

for epoch in range(3):
    for inputs, classes in loader:
        inputs.cuda()  # broken, here
        inputs = inputs.cuda()  # fixed
        sgd.zero_grad()
        value = objective(net(inputs), classes)
        value.backward()
        sgd.step()
