import torch
from torch import nn


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.device = next(self.parameters()).device  # broken, here

    def forward(self, x):
        return self.layer(x) + torch.randn(4, device=self.device)  # broken
        return self.layer(x) + torch.randn(4, device=x.device)  # fixed


net = Noisy()
net.to("cuda")
print(net(torch.rand(2, 4, device="cuda")))
