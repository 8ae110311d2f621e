import torch

errors = torch.randn(500).abs()
mean = sum(errors) / len(errors)  # here # broken
mean = errors.sum() / len(errors)  # fixed
print(mean)
