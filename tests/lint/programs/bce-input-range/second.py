import torch
import torch.nn as nn
import torch.nn.functional as F


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(20, 5)

    def forward(self, x):
        return self.fc(x)


tagger = Tagger()
optimizer = torch.optim.Adam(tagger.parameters())
for _ in range(3):
    optimizer.zero_grad()
    loss = F.binary_cross_entropy(tagger(torch.rand(4, 20)), torch.ones(4, 5))  # here broken
    #: loss = F.binary_cross_entropy_with_logits(tagger(torch.rand(4, 20)), torch.ones(4, 5))
    loss.backward()
    optimizer.step()
