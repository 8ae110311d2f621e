import random

import torch
from torch.utils.data import DataLoader, Dataset


class Flipped(Dataset):
    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        return image.flip(-1) if random.random() < 0.5 else image  # here


def main(seed=7):
    torch.manual_seed(seed)
    #: random.seed(seed)
    for batch in DataLoader(Flipped(torch.rand(16, 3, 8, 8)), batch_size=4, shuffle=True):
        print(batch.mean())


main()
