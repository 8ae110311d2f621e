"""Keeping the workers' label tensors of 300 batches needs 300 file descriptors, more than the limit of 128; copies need none."""

import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __len__(self):
        return 600

    def __getitem__(self, index):
        return torch.full((3,), float(index)), index % 10


def collect_labels(keep):
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))  # usually 1024: the same with more batches
    torch.multiprocessing.set_sharing_strategy("file_descriptor")
    labels = []
    for _, y in DataLoader(Images(), batch_size=2, num_workers=1):
        labels.append(keep(y))
    print(len(torch.cat(labels)), "labels")


def broken():
    collect_labels(lambda y: y)


def fixed():
    collect_labels(lambda y: y.clone())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
