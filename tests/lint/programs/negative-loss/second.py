import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)
        self.softmax = nn.Softmax(dim=-1)  # here broken
        #: self.softmax = nn.LogSoftmax(dim=-1)

    def forward(self, state):
        return self.softmax(self.body(state))


policy = Policy()
divergence = nn.KLDivLoss(reduction="batchmean")
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
for states, visits in [(torch.randn(8, 4), torch.rand(8, 3).softmax(-1)) for _ in range(5)]:
    optimizer.zero_grad()
    divergence(policy(states), visits).backward()
    optimizer.step()
