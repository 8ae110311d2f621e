import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
blocks = nn.ModuleList(nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Dropout(0.1)) for _ in range(3))
head = nn.Linear(8, 2)
opt = torch.optim.SGD([*blocks.parameters(), *head.parameters()], 0.05)
for _ in range(8):
    x = torch.randn(16, 8)
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)
    opt.zero_grad()
    nn.functional.cross_entropy(head(x), torch.randint(0, 2, (16,))).backward()
    opt.step()
