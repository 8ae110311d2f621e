import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Run:
    def __init__(self):
        self.inputs = []

    def epoch(self, net, opt, loader):
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
            self.inputs.append(x)  # broken, here
            self.inputs.append(x.mean())  # fixed


torch.manual_seed(0)
data = TensorDataset(torch.randn(512, 5000), torch.randn(512, 1))
loader = DataLoader(data, batch_size=32, shuffle=True, num_workers=1)
net, run = nn.Linear(5000, 1), Run()
opt = torch.optim.SGD(net.parameters(), 1e-4)
for _ in range(14):
    run.epoch(net, opt, loader)
