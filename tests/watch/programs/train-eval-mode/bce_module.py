import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 1), nn.Flatten(0))
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(2.0))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    model.train()
    for _ in range(4):
        x = torch.randn(32, 8)
        loss = criterion(model(x), (x[:, 0] > 0).float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()  # fixed
    with torch.no_grad():
        x = torch.randn(32, 8)
        out = model(x)  # here
        print(criterion(out, (x[:, 0] > 0).float()).item(), (out > 0).sum().item())
