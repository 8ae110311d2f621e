import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(5, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(6):
    out = model(torch.randn(16, 5))
    out = torch.log_softmax(out, 1)  # fixed
    loss = nn.functional.nll_loss(out, torch.randint(0, 3, (16,)))  # here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
