import torch
from torch import nn

torch.manual_seed(0)
trunk, a, b = nn.Linear(6, 8), nn.Linear(8, 3), nn.Linear(8, 1)
opt = torch.optim.Adam([*trunk.parameters(), *a.parameters(), *b.parameters()], 1e-2)
for _ in range(12):
    x = torch.randn(16, 6)
    h = torch.relu(trunk(x))
    first = nn.functional.cross_entropy(a(h), torch.randint(0, 3, (16,)))
    second = nn.functional.l1_loss(b(h).squeeze(-1), x[:, 0])
    opt.zero_grad()
    first.backward(retain_graph=True)
    (0.5 * second).backward()
    opt.step()
