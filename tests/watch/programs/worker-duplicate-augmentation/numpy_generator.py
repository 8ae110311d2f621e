import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self):
        self.rng = np.random.default_rng(0)  # broken
        self.seed = 0

    def __len__(self):
        return 16

    def __getitem__(self, index):
        return torch.tensor(self.rng.normal()) + index  # broken
        return torch.tensor(np.random.default_rng((self.seed, index)).normal()) + index  # fixed


for batch in DataLoader(Noisy(), batch_size=4, num_workers=2):  # here
    print(batch)
