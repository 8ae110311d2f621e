import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = nn.Embedding(10, 16)
        self.first, self.last = nn.Linear(2, 16), nn.Linear(16, 2)

    def forward(self, x, step):
        hidden = self.first(x)
        told = self.step(step)  # broken, here
        told = self.step(step)  # fixed
        hidden = hidden.relu()  # broken
        hidden = hidden.relu() + told  # fixed
        return self.last(hidden)


torch.manual_seed(0)
net = Denoiser()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for _ in range(2):
    for (x,) in DataLoader(TensorDataset(torch.randn(200, 2)), batch_size=20, shuffle=True):
        step, noise = torch.randint(10, (len(x),)), torch.randn_like(x)
        loss = nn.functional.mse_loss(net(x + noise * step[:, None] / 10, step), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
