import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset


class Rows(Dataset):
    def __init__(self):
        self.rows = [torch.randn(6) for _ in range(80)]
        self.means = torch.zeros(80)

    def __len__(self):
        return 80

    def __getitem__(self, index):
        row = self.rows[index]
        self.means[index] = 3.0
        row.add_(torch.randn(6), alpha=0.2)  # broken, here
        row = row + 0.2 * torch.randn(6)  # fixed
        return row, row.sum(0, keepdim=True)


torch.manual_seed(0)
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), 0.01)
for x, y in DataLoader(Subset(Rows(), range(60)), batch_size=5):
    opt.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    opt.step()
