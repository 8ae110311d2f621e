"""Training twice from the same seed: with only torch seeded, an augmentation that uses Python's random module makes the losses differ;
with every generator seeded they are equal to the last bit."""

import json
import random
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def seed_torch(seed):
    torch.manual_seed(seed)


def seed_everything(seed):
    random.seed(seed)
    torch.manual_seed(seed)


class Flipped(Dataset):
    def __init__(self):
        self.images = torch.rand(64, 3, 8, 8)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index] + random.uniform(-0.1, 0.1)  # brightness
        return image.flip(-1) if random.random() < 0.5 else image


def train(seed_all):
    seed_all(42)
    model = nn.Sequential(nn.Flatten(), nn.Linear(192, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 192))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        for batch in DataLoader(Flipped(), batch_size=16, shuffle=True):
            loss = (model(batch) - batch.flatten(1)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


def compare(seed_all):
    random.seed()  # as at the start of every Python process: from the system's entropy
    first = train(seed_all)
    random.seed()
    second = train(seed_all)
    print(json.dumps({"first_run": first, "second_run": second}))
    if first != second:
        sys.exit("symptom: two runs with the same seed differ")


def broken():
    compare(seed_torch)


def fixed():
    compare(seed_everything)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
