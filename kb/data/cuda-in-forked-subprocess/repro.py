"""Samples cannot be put on the GPU by a forked worker once the parent has used CUDA; moving finished batches works."""

import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, device):
        self.device = device

    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.full((3, 8, 8), float(index)).to(self.device)


def train(data):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    model = torch.nn.Conv2d(3, 4, 3).cuda()
    for images in DataLoader(data, batch_size=4, num_workers=1, multiprocessing_context="fork"):
        print(tuple(model(images.to("cuda")).shape))


def broken():
    train(Images("cuda"))


def fixed():
    train(Images("cpu"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
