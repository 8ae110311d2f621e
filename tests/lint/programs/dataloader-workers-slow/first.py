import torch
from torch.utils.data import DataLoader, TensorDataset

table = TensorDataset(torch.rand(4096, 10), torch.rand(4096, 1))
batches = DataLoader(table, batch_size=128, shuffle=True, num_workers=4)  # broken, here
batches = DataLoader(table, batch_size=128, shuffle=True)  # fixed
for inputs, wanted in batches:
    print(inputs.mean(), wanted.mean())
