"""WeightedRandomSampler is given a weight for each class: it draws the first two items alone. With a weight for each item it draws both classes equally often."""

import json
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = (torch.arange(1000) % 10 == 0).long()  # a tenth is of class 1
data = TensorDataset(torch.arange(1000), labels)
class_weights = 1.0 / labels.bincount()


def draw(weights):
    loader = DataLoader(data, batch_size=100, sampler=WeightedRandomSampler(weights, len(data)))
    items = torch.cat([numbers for numbers, _ in loader])
    share = labels[items].float().mean().item()
    print(json.dumps({"different_items": len(items.unique()), "share_of_class_1": round(share, 2)}))
    if len(items.unique()) < 10:
        sys.exit(f"symptom: {len(items)} draws gave {len(items.unique())} different items")


def broken():
    draw(class_weights)


def fixed():
    draw(class_weights[labels])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
