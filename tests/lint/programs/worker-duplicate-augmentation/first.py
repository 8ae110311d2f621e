import numpy as np
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self, signals):
        self.signals = signals
        self.generator = np.random.default_rng(3)  # broken, here

    def __len__(self):
        return len(self.signals)

    def __getitem__(self, at):
        return self.signals[at] + self.generator.normal(size=16)  # broken
        return self.signals[at] + np.random.normal(size=16)  # fixed


batches = DataLoader(Noisy(np.zeros((90, 16))), batch_size=9, num_workers=3)
