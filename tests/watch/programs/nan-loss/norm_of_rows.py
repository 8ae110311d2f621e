import torch
from torch import nn


class Cosine(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(5, 8))

    def forward(self, x):
        length = x.pow(2).sum(1, keepdim=True)
        length = (length.double() * 1e200 * 1e200).float()  # broken
        return (x * length) @ self.table.t()


torch.manual_seed(1)
body, head = nn.Linear(6, 8), Cosine()
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], 1e-4)
for _ in range(3):
    hidden = body(torch.randn(10, 6))
    scores = head(hidden)  # here
    loss = nn.functional.cross_entropy(scores, torch.randint(0, 5, (10,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
