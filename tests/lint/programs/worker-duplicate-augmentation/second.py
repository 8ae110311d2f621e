import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    def __init__(self, images):
        self.images = images
        self.rng = np.random.RandomState(0)  # here broken

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        noise = self.rng.normal(size=self.images[i].shape)  # broken
        #: noise = torch.randn(self.images[i].shape).numpy()
        return self.images[i] + torch.from_numpy(noise).float()


train = DataLoader(Noisy(torch.rand(64, 8)), batch_size=8, shuffle=True, num_workers=4)
