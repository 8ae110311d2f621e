import torch
from torch import nn

torch.manual_seed(0)


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(30, 16, padding_idx=0), nn.Linear(16, 2)

    def forward(self, tokens):
        words = self.words(tokens)
        pooled = words.mean(1)  # broken, here
        pooled = words.sum(1) / (tokens != 0).sum(1, keepdim=True)  # fixed
        return self.out(torch.relu(pooled))


net = Bag()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(12):
    tokens = torch.randint(1, 30, (16, 10))
    tokens[torch.arange(10) >= torch.randint(3, 11, (16, 1))] = 0
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(tokens), tokens[:, 0] % 2).backward()
    optimizer.step()
