import torch
from torch import nn

torch.manual_seed(0)
used, unused = nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = torch.optim.AdamW([*used.parameters(), *unused.parameters()], lr=0.01, weight_decay=0.1)  # broken
optimizer = torch.optim.AdamW([*used.parameters(), *unused.parameters()], lr=0.01, weight_decay=0.0)  # fixed
for _ in range(8):
    x = torch.randn(8, 4)
    out = used(x) + 0.0 * unused(x)
    optimizer.zero_grad()
    nn.functional.mse_loss(out, x[:, :1]).backward()
    optimizer.step()  # here
