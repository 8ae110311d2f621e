import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 20))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)


def batch(lengths):
    tokens = torch.randint(1, 20, (len(lengths), 12))
    target = tokens.roll(-1, 1)
    target[torch.arange(12) >= torch.tensor(lengths)[:, None]] = -100
    return tokens, target


for step in range(6):
    group = [batch([3, 4]), batch([11, 12]), batch([6, 5]), batch([9, 12])]
    count = sum(int((y != -100).sum()) for _, y in group)
    optimizer.zero_grad()
    for x, y in group:
        out = net(x).flatten(0, 1)
        loss = nn.functional.cross_entropy(out, y.flatten()) / len(group)  # broken
        loss = nn.functional.cross_entropy(out, y.flatten(), reduction="sum") / count  # fixed
        loss.backward()  # broken, here
        loss.backward()  # fixed
    optimizer.step()
