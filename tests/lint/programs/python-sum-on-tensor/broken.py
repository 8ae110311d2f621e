import torch

counts = torch.rand(100_000)
total = sum(counts)  # here
print(total)
