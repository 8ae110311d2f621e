import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.device = next(self.parameters()).device  # here

    def forward(self, x):
        return self.layer(x) + torch.randn(4, device=self.device)


net = Noisy()
net.to("cuda")
print(net(torch.rand(2, 4, device="cuda")))
