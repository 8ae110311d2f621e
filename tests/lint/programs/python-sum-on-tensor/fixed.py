import torch

counts = torch.rand(100_000)
total = counts.sum()
print(total)
