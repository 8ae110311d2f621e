import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.lstm = nn.LSTM(features, hidden, num_layers=2)  # here broken
        #: self.lstm = nn.LSTM(features, hidden, num_layers=2, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.fc(out[:, -1])


series, targets = torch.rand(64, 20, 3), torch.rand(64, 1)
loader = DataLoader(TensorDataset(series, targets), batch_size=16, shuffle=True)
model = Forecaster(3, 32)
for x, y in loader:
    print(nn.functional.mse_loss(model(x), y))
