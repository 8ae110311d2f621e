import torch
from torch.utils.data import DataLoader, Dataset


class Lines(Dataset):
    def __init__(self, path, offsets):
        self.path, self.offsets = path, offsets
        self.file = open(path, "rb")  # here broken
        #: self.file = None

    def __len__(self):
        return len(self.offsets)

    def __getitem__(self, i):
        #: if self.file is None:
        #:     self.file = open(self.path, "rb")
        self.file.seek(self.offsets[i])
        return torch.tensor(len(self.file.readline()))


def loader(path, offsets):
    return DataLoader(Lines(path, offsets), batch_size=4, num_workers=4)
