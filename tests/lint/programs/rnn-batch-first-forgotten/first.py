from torch import nn


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.GRU(20, 30)  # broken, here
        self.steps = nn.GRU(20, 30, batch_first=True)  # fixed
        self.last = nn.Linear(30, 2)

    def forward(self, series):
        states, _ = self.steps(series)
        return self.last(states[:, -1, :])
