import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3)).eval()
hits = 0
with torch.inference_mode():
    for _ in range(6):
        hits += (net(torch.randn(8, 1, 8, 8)).softmax(1).argmax(1) == torch.randint(0, 3, (8,))).sum().item()
print(hits)
