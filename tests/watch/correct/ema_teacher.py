import copy

import torch
from torch import nn

torch.manual_seed(0)
student = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 4))
teacher = copy.deepcopy(student)
opt = torch.optim.SGD(student.parameters(), 0.05)
for _ in range(20):
    x = torch.randn(16, 6)
    with torch.no_grad():
        wanted = teacher(x + 0.1 * torch.randn_like(x))
    loss = nn.functional.mse_loss(student(x), wanted)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for a, b in zip(teacher.parameters(), student.parameters()):
            a.mul_(0.99).add_(b, alpha=0.01)
