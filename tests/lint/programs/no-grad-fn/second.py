import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x).relu())


def main():
    net = Net()
    net.head = nn.Linear(8, 5)  # broken
    for p in net.parameters():  # here
        p.requires_grad = False
    net.head = nn.Linear(8, 5)  # fixed
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    loss = nn.functional.cross_entropy(net(torch.randn(4, 8)), torch.randint(5, (4,)))
    loss.backward()
    optimizer.step()


main()
