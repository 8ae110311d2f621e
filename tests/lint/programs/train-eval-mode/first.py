import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.rand(512, 12), torch.randint(0, 5, (512,)))
loader = DataLoader(data, batch_size=32, shuffle=True)

net = nn.Sequential(nn.Linear(12, 40), nn.Dropout(0.3), nn.Linear(40, 5))
sgd = optim.SGD(net.parameters(), lr=0.05)
objective = nn.CrossEntropyLoss()


def accuracy():
    net.eval()  # broken, here
    net.eval()  # fixed
    with torch.no_grad():
        return (net(data.tensors[0]).argmax(1) == data.tensors[1]).float().mean()


net.train()  # broken
for epoch in range(3):
    net.train()  # fixed
    for inputs, classes in loader:
        sgd.zero_grad()
        value = objective(net(inputs), classes)
        value.backward()
        sgd.step()
    print(accuracy())
