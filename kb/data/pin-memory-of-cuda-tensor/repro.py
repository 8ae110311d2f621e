"""A data set that puts its samples on the GPU cannot be read with pin_memory=True; one that leaves them on the CPU can."""

import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, device):
        self.device = device

    def __len__(self):
        return 16

    def __getitem__(self, index):
        return torch.full((3, 8, 8), float(index), device=self.device), index % 10


def train(data):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    model = torch.nn.Conv2d(3, 4, 3).cuda()
    for images, _ in DataLoader(data, batch_size=8, pin_memory=True):
        print(tuple(model(images.to("cuda", non_blocking=True)).shape))


def broken():
    train(Images("cuda"))


def fixed():
    train(Images("cpu"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
