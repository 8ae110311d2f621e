import torch
from torch import nn

torch.manual_seed(0)


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.act = nn.Linear(12, 48), nn.ReLU()
        self.up, self.skip = nn.Linear(48, 3), nn.Linear(12, 3)
        nn.init.constant_(self.down.bias, -6.0)  # broken
        nn.init.constant_(self.down.bias, 0.0)  # fixed

    def forward(self, x):
        hidden = self.act(self.down(x))  # here
        return self.up(hidden) + self.skip(x)


model = Gated()
opt = torch.optim.Adam(model.parameters(), 1e-3)
for step in range(30):
    x = torch.randn(64, 12)
    opt.zero_grad()
    nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long() + (x[:, 1] > 1)).backward()
    opt.step()
