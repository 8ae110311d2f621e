import torch
from torch import nn

torch.manual_seed(0)
G, C = nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
og, oc = torch.optim.RMSprop(G.parameters(), 1e-3), torch.optim.RMSprop(C.parameters(), 1e-3)
for _ in range(6):
    for _ in range(3):
        real = torch.randn(8, 2)
        with torch.no_grad():
            fake = G(torch.randn(8, 3))
        mix = (0.5 * real + 0.5 * fake).requires_grad_(True)
        (slope,) = torch.autograd.grad(C(mix).sum(), mix, create_graph=True)
        loss = C(fake).mean() - C(real).mean() + 10 * (slope.norm(dim=1) - 1).pow(2).mean()
        oc.zero_grad()
        loss.backward()
        oc.step()
    og.zero_grad()
    (-C(G(torch.randn(8, 3))).mean()).backward()
    og.step()
