import torch
from torch import nn

judge = nn.Sequential(nn.Linear(6, 9), nn.Tanh(), nn.Linear(9, 1))
rule = nn.BCELoss()
answer = judge(torch.rand(4, 6))
print(rule(answer, torch.ones(4, 1)))  # here
