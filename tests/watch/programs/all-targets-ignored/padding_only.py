import torch
from torch import nn

torch.manual_seed(0)
net = nn.Embedding(10, 5)
head = nn.Linear(5, 10)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.01)
for step in range(4):
    tokens = torch.randint(1, 10, (2, 6))
    if step == 2:
        tokens[:, 3:] = 0
    target = tokens[:, 3:]
    logits = head(net(tokens))[:, 3:]
    target = torch.cat([target, torch.ones(2, 1, dtype=torch.long)], 1)  # fixed
    logits = torch.cat([logits, logits[:, :1]], 1)  # fixed
    loss = nn.functional.cross_entropy(logits.reshape(-1, 10), target.reshape(-1), ignore_index=0)  # here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
