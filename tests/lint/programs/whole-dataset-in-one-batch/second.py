import torch
from torch.utils.data import DataLoader


def evaluate(model, test_set, device):
    size = len(test_set)  # broken
    #: size = 256
    loader = DataLoader(test_set, size, num_workers=2)  # here
    with torch.no_grad():
        for x, y in loader:
            return (model(x.to(device)).argmax(1).cpu() == y).float().mean()
