import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 8)  # broken
        self.rnn = nn.GRU(3, 8, batch_first=True)  # fixed
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        out, _ = self.rnn(x)  # here
        return self.head(out[:, -1])


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(6):
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(16, 7, 3)), torch.randint(0, 2, (16,))).backward()
    optimizer.step()
