"""A sampler that draws rare classes more often is given to a DataLoader together with shuffle=True, which asks for a sampler of its own. The
weighted sampler draws at random already: without shuffle it loads."""

import sys

import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = torch.tensor([0] * 90 + [1] * 10)
dataset = TensorDataset(torch.randn(100, 4), labels)
sampler = WeightedRandomSampler((1 / labels.bincount())[labels], num_samples=len(labels))


def load(**options):
    loader = DataLoader(dataset, batch_size=10, sampler=sampler, **options)
    print("of the rare class:", sum(int(y.sum()) for _, y in loader), "of", len(labels))


def broken():
    load(shuffle=True)


def fixed():
    load()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
