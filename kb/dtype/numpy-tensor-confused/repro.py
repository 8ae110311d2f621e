"""Preprocessing written for NumPy arrays meets the tensors of a DataLoader: a tensor has no astype. Its own call is to()."""

import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randint(0, 256, (8, 3, 4, 4)), torch.arange(8)), batch_size=4)


def preprocess(cast):
    for images, _ in loader:
        images = cast(images) / 255
        print(images.dtype, images.shape)


def broken():
    preprocess(lambda images: images.astype("float32"))


def fixed():
    preprocess(lambda images: images.to(torch.float32))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
