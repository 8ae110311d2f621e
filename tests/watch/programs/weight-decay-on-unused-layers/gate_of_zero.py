import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(5, 3), nn.Linear(5, 3)
        self.register_buffer("gate", torch.tensor([1.0, 0.0]))

    def forward(self, x):
        return self.gate[0] * self.first(x) + self.gate[1] * self.second(x)


torch.manual_seed(0)
model = Mixture()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-2)  # broken
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)  # fixed
for _ in range(10):
    loss = nn.functional.cross_entropy(model(torch.randn(12, 5)), torch.randint(0, 3, (12,)))
    model.zero_grad()
    loss.backward()
    opt.step()  # here
