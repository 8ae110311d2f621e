import torch
from torch import nn


class Lora(nn.Module):
    def __init__(self, base, r=2):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(r, base.in_features) * 0.1)
        self.b = nn.Parameter(torch.zeros(base.out_features, r))

    def forward(self, x):
        return self.base(x) + x @ self.a.t() @ self.b.t()


torch.manual_seed(0)
net = nn.Sequential(Lora(nn.Linear(6, 8)), nn.ReLU(), Lora(nn.Linear(8, 2)))
opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], 1e-2, weight_decay=0.01)
for _ in range(10):
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(16, 6)), torch.randint(0, 2, (16,))).backward()
    opt.step()
