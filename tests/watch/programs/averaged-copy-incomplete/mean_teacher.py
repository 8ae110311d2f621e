import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
student = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 2))
teacher = copy.deepcopy(student)
for parameter in teacher.parameters():
    parameter.requires_grad_(False)
x = 3 + torch.randn(640, 8)
y = (x[:, 0] > 3).long()
optimizer = torch.optim.SGD(student.parameters(), lr=0.05)
for _ in range(3):
    student.train()
    for inputs, labels in DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(student(inputs), labels).backward()
        optimizer.step()
        with torch.no_grad():
            for mine, theirs in zip(teacher.parameters(), student.parameters()):  # broken, here
            for mine, theirs in zip(teacher.state_dict().values(), student.state_dict().values()):  # fixed
                mine.copy_(0.9 * mine + 0.1 * theirs)
teacher.eval()
with torch.no_grad():
    print("teacher", (teacher(x).argmax(1) == y).float().mean().item())
