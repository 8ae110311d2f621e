import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(6, 32), nn.Linear(32, 3)

    def forward(self, x):
        h = self.first(x)
        h = (h - h.mean(0)) / (h.std(0) + 1e-5)  # broken, here
        h = (h - h.mean(1, keepdim=True)) / (h.std(1, keepdim=True) + 1e-5)  # fixed
        return self.last(torch.relu(h))


def main():
    torch.manual_seed(0)
    x = torch.randn(200, 6)
    loader = DataLoader(TensorDataset(x, x[:, :3].argmax(1)), batch_size=20, shuffle=True)
    net = Net()
    opt = torch.optim.Adam(net.parameters(), 1e-2)
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()


main()
