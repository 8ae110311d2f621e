"""random_split of one augmenting data set: a validation that is repeated with the same weights gives another figure each time. With a data set of its own, without the noise, it does not."""

import json
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset


class Points(Dataset):
    def __init__(self, x, y, noise):
        self.x, self.y, self.noise = x, y, noise

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i] + self.noise * torch.randn(8), self.y[i]


def run(validated_with_noise):
    torch.manual_seed(0)
    y = torch.randint(0, 2, (800,))
    x = torch.randn(800, 8) + 0.5 * (2 * y[:, None] - 1)
    order = torch.randperm(800).tolist()
    train_set = Subset(Points(x, y, 1.5), order[:600])
    val_set = Subset(Points(x, y, 1.5 * validated_with_noise), order[600:])
    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(5):
        for batch, labels in DataLoader(train_set, batch_size=50, shuffle=True):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(batch), labels).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        scores = [sum((model(b).argmax(1) == t).sum().item() for b, t in DataLoader(val_set, batch_size=50)) / 200 for _ in range(5)]
    print(json.dumps({"lowest": min(scores), "highest": max(scores)}))
    if max(scores) > min(scores):
        sys.exit(f"symptom: the same model is right in {min(scores):.1%} to {max(scores):.1%} on the same samples")


def broken():
    run(validated_with_noise=True)


def fixed():
    run(validated_with_noise=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
