import torch
from torch import nn

guess = nn.Sequential(nn.Linear(7, 9), nn.Tanh(), nn.Linear(9, 1))
seen, wanted = torch.rand(90, 7), torch.rand(90)
print(nn.L1Loss()(guess(seen), wanted))  # broken, here
print(nn.L1Loss()(guess(seen), wanted.unsqueeze(1)))  # fixed
