import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.GELU(), nn.Linear(8, 3))
opt = torch.optim.AdamW(net.parameters(), 1e-3)
loader = DataLoader(TensorDataset(torch.randn(64, 5), torch.randint(0, 3, (64,))), 4, shuffle=True)
opt.zero_grad()
for step, (x, y) in enumerate(loader):
    (nn.functional.cross_entropy(net(x), y) / 4).backward()
    if (step + 1) % 4 == 0:
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
