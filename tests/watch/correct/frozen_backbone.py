import torch
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(
    nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()
)
backbone.requires_grad_(False).eval()
head = nn.Linear(8, 4)
opt = torch.optim.SGD(head.parameters(), 0.1, momentum=0.9)
for _ in range(8):
    with torch.no_grad():
        features = backbone(torch.randn(8, 3, 12, 12))
    loss = nn.functional.cross_entropy(head(features), torch.randint(0, 4, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
