"""Windows of a series, a GRU, a list of layers; gradients of two batches are added before each step."""

import torch
import torch.nn.functional as F
from torch import nn


class Forecast(nn.Module):
    def __init__(self, channels, hidden, depth):
        super().__init__()
        self.conv = nn.Conv1d(channels, hidden, 3, padding=1)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)
        self.blocks = nn.ModuleList([nn.Linear(hidden, hidden) for _ in range(depth)])
        self.head = nn.Linear(hidden, 1)

    def forward(self, series):
        x = self.conv(series.transpose(1, 2))
        x, last = self.gru(x.transpose(1, 2))
        x = last[0]
        for block in self.blocks:
            x = x + torch.relu(block(x))
        return self.head(x)


torch.manual_seed(7)
series = torch.randn(60, 2).cumsum(0)
windows = torch.stack([series[at : at + 12] for at in range(0, 48, 4)])
nexts = torch.stack([series[at + 12, :1] for at in range(0, 48, 4)])
model = Forecast(2, 8, 2)
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.005)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
running = torch.zeros(1)
for epoch in range(2):
    for number in range(4):
        x, y = windows[number::4], nexts[number::4]
        loss = F.smooth_l1_loss(model(x), y) / 2
        loss.backward()
        running += loss.detach()
        if number % 2:
            optimizer.step()
            optimizer.zero_grad()
    scheduler.step()
print(f"{running.item():.4f} {scheduler.get_last_lr()[0]:.5f}")
