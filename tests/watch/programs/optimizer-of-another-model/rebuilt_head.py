import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 10))
model[2] = nn.Linear(16, 3)  # fixed
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model[2] = nn.Linear(16, 3)  # broken
for _ in range(8):
    optimizer.zero_grad()
    out = model(torch.randn(16, 8))  # here
    nn.functional.cross_entropy(out, torch.randint(0, 3, (16,))).backward()
    optimizer.step()
