import h5py
from torch.utils.data import DataLoader, Dataset


class Stored(Dataset):
    def __init__(self, path):
        self.path = path
        self.archive = h5py.File(path, "r")  # broken, here
        self.archive = None  # fixed

    def __len__(self):
        return 1000

    def __getitem__(self, at):
        if self.archive is None:  # fixed
            self.archive = h5py.File(self.path, "r")  # fixed
        return self.archive["images"][at]


batches = DataLoader(Stored("train.h5"), batch_size=16, num_workers=2, shuffle=True)
