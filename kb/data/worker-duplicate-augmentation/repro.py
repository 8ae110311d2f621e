"""A generator kept on the data set gives every worker, in every epoch, the same crops; one seeded in the worker does not."""

import json
import random
import sys

import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Crops(Dataset):
    def __init__(self):
        self.rng = random.Random(0)

    def __len__(self):
        return 32

    def __getitem__(self, index):
        return self.rng.randrange(10**9)  # where to crop


def seed_worker(worker_id):
    info = get_worker_info()
    info.dataset.rng = random.Random(info.seed)


def augment(worker_init_fn):
    torch.manual_seed(0)
    loader = DataLoader(Crops(), batch_size=4, num_workers=2, worker_init_fn=worker_init_fn)
    epochs = [torch.cat(list(loader)).tolist() for _ in range(2)]
    different, drawn = len(set(epochs[0] + epochs[1])), len(epochs[0]) * 2
    print(json.dumps({"drawn": drawn, "different": different, "epochs_equal": epochs[0] == epochs[1]}))
    if different < drawn / 2:
        sys.exit(f"symptom: only {different} of {drawn} augmentations are different")


def broken():
    augment(None)


def fixed():
    augment(seed_worker)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
