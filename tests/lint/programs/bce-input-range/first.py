import torch
from torch import nn

judge = nn.Sequential(nn.Linear(6, 9), nn.Tanh(), nn.Linear(9, 1))
rule = nn.BCELoss()  # broken
rule = nn.BCEWithLogitsLoss()  # fixed
answer = judge(torch.rand(4, 6))
print(rule(answer, torch.ones(4, 1)))  # broken, here
print(rule(answer, torch.ones(4, 1)))  # fixed
