"""One class of block in float32 and in bfloat16: the teacher in full, the student in half precision."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Linear(width, 2 * width)
        self.outer = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.outer(torch.relu(self.inner(self.norm(x))))


torch.manual_seed(9)
teacher = nn.Sequential(Block(8), Block(8))
student = nn.Sequential(Block(8)).bfloat16()
x = torch.randn(6, 8)
with torch.no_grad():
    wanted = teacher(x)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(3):
    got = student(x.bfloat16())
    loss = (got.float() - wanted).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
kinds = sorted({str(p.dtype) for p in student.parameters()})
print(f"{loss.item():.2f}", kinds)
