import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

rows = TensorDataset(torch.rand(60, 2))
weighted = WeightedRandomSampler(torch.ones(60), 60)
batches = DataLoader(rows, batch_size=6, sampler=weighted, shuffle=True)  # here
