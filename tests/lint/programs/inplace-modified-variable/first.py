import torch

before = torch.rand(6)
after = before.clamp_(0.2, 0.8)  # broken, here
after = before.clamp(0.2, 0.8)  # fixed
print((before - after).abs().max())
