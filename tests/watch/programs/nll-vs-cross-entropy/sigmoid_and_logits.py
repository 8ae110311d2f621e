import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(
    nn.Linear(5, 9),
    nn.Tanh(),
    nn.Linear(9, 1),
    nn.Sigmoid(),  # broken
)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.BCEWithLogitsLoss()
for _ in range(6):
    x = torch.randn(16, 5)
    optimizer.zero_grad()
    loss = criterion(model(x).squeeze(1), (x[:, 0] > 0).float())  # here
    loss.backward()
    optimizer.step()
