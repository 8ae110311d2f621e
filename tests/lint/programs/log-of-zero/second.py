import torch
import torch.nn as nn
import torch.nn.functional as F


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, s):
        return F.softmax(self.fc(s), dim=-1)  # broken
        #: return F.log_softmax(self.fc(s), dim=-1)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters())
for _ in range(5):
    probs = policy(torch.rand(16, 8))
    actions = torch.randint(0, 4, (16, 1))
    loss = -torch.log(probs).gather(1, actions).mean()  # here broken
    #: loss = -probs.gather(1, actions).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
