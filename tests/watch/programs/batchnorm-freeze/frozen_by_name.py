import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 6, 3)
        self.norm = nn.BatchNorm2d(6)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        x = self.norm(self.stem(x)).relu()  # here
        return self.head(x.mean((2, 3)))


torch.manual_seed(4)
net = Net()
for name, weight in net.named_parameters():
    weight.requires_grad = name.startswith("head")
opt = torch.optim.Adam([one for one in net.parameters() if one.requires_grad], 1e-2)
data = TensorDataset(torch.randn(48, 1, 8, 8), torch.randint(0, 3, (48,)))
for epoch in range(2):
    net.train()
    net.norm.eval()  # fixed
    for x, y in DataLoader(data, 8, shuffle=True):
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
