import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.head = nn.Linear(8, 4), nn.Linear(4, 2)

    def forward(self, x):
        code = torch.relu(self.encoder(x))  # here
        code = code.detach()  # broken
        return self.head(code)


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(8):
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(16, 8)), torch.randint(0, 2, (16,))).backward()
    optimizer.step()
