import torch
from torch import nn

torch.manual_seed(0)
net = nn.Conv2d(1, 1, 3, padding=1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.001)
for step in range(12):
    picture = torch.rand(4, 1, 8, 8)
    mask = ((picture > 0.5) * 255).float()
    mask = mask / 255  # fixed
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy_with_logits(net(picture), mask).backward()  # broken, here
    nn.functional.binary_cross_entropy_with_logits(net(picture), mask).backward()  # fixed
    optimizer.step()
