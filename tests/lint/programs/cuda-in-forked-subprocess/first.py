import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, at):
        return torch.full((3, 8, 8), at).to("cuda")  # broken, here
        return torch.full((3, 8, 8), at)  # fixed


batches = DataLoader(Pictures(), batch_size=4, num_workers=2)
