import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x, y = torch.rand(200, 3), torch.rand(200)
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


model = Regressor()
criterion = nn.MSELoss()
opt = torch.optim.Adam(model.parameters())
for xb, yb in loader:
    pred = model(xb)
    opt.zero_grad()
    loss = criterion(pred, yb)  # broken, here
    loss = criterion(pred, yb.unsqueeze(1))  # fixed
    loss.backward()
    opt.step()
