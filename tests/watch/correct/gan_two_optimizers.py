import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Dropout(0.1), nn.Linear(16, 1))
og, od = torch.optim.Adam(G.parameters(), 1e-3, betas=(0.5, 0.99)), torch.optim.Adam(D.parameters(), 1e-3)
bce = nn.BCEWithLogitsLoss()
fixed = torch.randn(8, 4)
for step in range(25):
    od.zero_grad()
    real = torch.randn(16, 2) + 2
    bce(D(real), torch.ones(16, 1)).backward()
    fake = G(torch.randn(16, 4))
    bce(D(fake.detach()), torch.zeros(16, 1)).backward()
    od.step()
    og.zero_grad()
    bce(D(fake), torch.ones(16, 1)).backward()
    og.step()
    if step % 10 == 9:
        with torch.no_grad():
            G(fixed)
