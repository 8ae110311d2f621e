import torch

errors = torch.randn(500).abs()
mean = sum(errors) / len(errors)  # broken, here
mean = errors.sum() / len(errors)  # fixed
print(mean)
