from torch import nn


class Tower(nn.Module):
    def __init__(self, floors):
        super().__init__()
        self.floors = []  # broken
        self.floors = nn.ModuleList()  # fixed
        for _ in range(floors):
            self.floors.append(nn.Linear(8, 8))  # broken, here
            self.floors.append(nn.Linear(8, 8))  # fixed

    def forward(self, x):
        for floor in self.floors:
            x = floor(x)
        return x
