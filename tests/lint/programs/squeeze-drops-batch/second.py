import torch
import torch.nn as nn
import torch.nn.functional as F


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        x = F.relu(self.conv(x))
        x = F.adaptive_avg_pool2d(x, 1)
        x = x.squeeze()  # broken, here
        x = x.flatten(1)  # fixed
        return self.fc(x)


print(Scorer()(torch.rand(1, 3, 8, 8)).shape)
