import torch
from torch.utils.data import DataLoader, Dataset


class Captions(Dataset):
    def __init__(self, path):
        with open(path) as file:
            self.rows = [line.rstrip("\n") for line in file]  # broken
        #:     self.rows = torch.tensor([len(line) for line in file])

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


captions = Captions("captions.txt")
train = DataLoader(captions, batch_size=32, shuffle=True, num_workers=8)  # here
