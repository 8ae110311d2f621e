import torch

before = torch.rand(6)
after = before.clamp(0.2, 0.8)
print((before - after).abs().max())
