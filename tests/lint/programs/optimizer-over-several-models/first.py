import torch
from torch import nn

left, right = nn.Linear(3, 3), nn.Linear(3, 3)
both = torch.optim.AdamW(left.parameters() + right.parameters(), lr=1e-3)  # broken, here
both = torch.optim.AdamW([*left.parameters(), *right.parameters()], lr=1e-3)  # fixed
