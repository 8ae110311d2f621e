"""A classifier with strong dropout is scored as most training loops do: the training set in train mode while the weights still move, the
validation set in eval mode afterwards. Validation wins. Scored alike, training does."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def samples(count, generator):
    y = torch.randint(0, 4, (count,), generator=generator)
    x = 1.2 * torch.eye(4, 32)[y] + torch.randn(count, 32, generator=generator)
    return x.to(device), y.to(device)


def run(alike):
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(0)
    (x, y), (val_x, val_y) = samples(256, generator), samples(2048, generator)
    model = nn.Sequential(
        nn.Dropout(0.5), nn.Linear(32, 64), nn.ReLU(), nn.Dropout(0.7), nn.Linear(64, 4)
    ).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(12):
        right = 0
        for start in range(0, 256, 32):
            scores = model(x[start : start + 32])
            loss = nn.functional.cross_entropy(scores, y[start : start + 32])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right += (scores.argmax(1) == y[start : start + 32]).sum().item()
    model.eval()
    with torch.no_grad():
        validation = (model(val_x).argmax(1) == val_y).float().mean().item()
        training = (model(x).argmax(1) == y).float().mean().item() if alike else right / 256
    print(json.dumps({"training": round(training, 3), "validation": round(validation, 3)}))
    if validation > training:
        sys.exit(
            f"symptom: {validation:.0%} of the validation set is right and {training:.0%} of the training set"
        )


def broken():
    run(alike=False)


def fixed():
    run(alike=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
