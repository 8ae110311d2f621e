"""Sums over tokens, divided by their number in all micro-batches of a step: some of these hold padding alone."""

import torch
from torch import nn

torch.manual_seed(2)
net = nn.Sequential(nn.Embedding(20, 8), nn.Linear(8, 20))
opt = torch.optim.Adam(net.parameters(), 1e-3)
for step in range(12):
    text = torch.randint(0, 20, (4, 2, 6))
    labels = text.clone()
    labels[:, :, :2] = -100
    labels[2 + step % 2 :] = -100
    count = (labels != -100).sum()
    opt.zero_grad()
    for x, y in zip(text, labels):
        loss = nn.functional.cross_entropy(net(x).flatten(0, 1), y.flatten(), reduction="sum") / count
        loss.backward()
    opt.step()
