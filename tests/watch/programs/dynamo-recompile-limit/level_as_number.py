import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(6, 4)
        self.level = 1  # broken
        self.register_buffer("level", torch.tensor(1))  # fixed

    def forward(self, x):  # here
        return self.net(x) / self.level


torch.manual_seed(0)
gate = Gate()
optimizer = torch.optim.SGD(gate.parameters(), lr=0.1)
compiled = torch.compile(gate, backend="eager")
for step in range(10):
    loss = nn.functional.cross_entropy(compiled(torch.randn(16, 6)), torch.randint(0, 4, (16,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    gate.level = gate.level + 1
