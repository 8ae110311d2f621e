import torch

before = torch.rand(6)
after = before.clamp_(0.2, 0.8)  # here
print((before - after).abs().max())
