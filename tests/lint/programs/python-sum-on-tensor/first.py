import torch

counts = torch.rand(100_000)
total = sum(counts)  # broken, here
total = counts.sum()  # fixed
print(total)
