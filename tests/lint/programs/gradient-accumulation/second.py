import torch
from torch import nn

ACCUMULATE = 8
model = nn.Linear(10, 3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = [(torch.rand(4, 10), torch.randint(0, 3, (4,))) for _ in range(32)]
for i, (x, y) in enumerate(loader):
    loss = criterion(model(x), y)
    #: loss = loss / ACCUMULATE
    loss.backward()  # here
    if (i + 1) % ACCUMULATE == 0:
        optimizer.step()
        optimizer.zero_grad()
