import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
probabilities, criterion = nn.Softmax(1), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(12):
    x = torch.randn(32, 8)
    loss = criterion(model(x), x[:, :3].argmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()  # fixed
with torch.no_grad():
    print(probabilities(model(torch.randn(4, 8))).argmax(1))  # here
