import torch
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.code, self.out = nn.Linear(8, 2), nn.Linear(2, 8)

    def forward(self, x):
        z = self.code(x)
        return torch.sigmoid(self.out(z)), z  # broken, here
        return self.out(z), z  # fixed

def train(model, x):
    again, z = model(x)
    (F.binary_cross_entropy_with_logits(again, x) + z.square().mean()).backward()

train(Net(), torch.rand(4, 8))
