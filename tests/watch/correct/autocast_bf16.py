import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(16, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 5))
opt = torch.optim.AdamW(net.parameters(), 1e-3)
for _ in range(10):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(net(torch.randn(16, 16)), torch.randint(0, 5, (16,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
