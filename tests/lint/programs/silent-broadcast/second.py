import torch
from torch import nn

model = nn.Linear(5, 1)
inputs, labels = torch.rand(30, 5), torch.rand(30)
optimizer = torch.optim.Adam(model.parameters())
for _ in range(10):
    predictions = model(inputs)
    loss = ((predictions - labels) ** 2).mean()  # here broken
    #: loss = ((predictions.squeeze(1) - labels) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
