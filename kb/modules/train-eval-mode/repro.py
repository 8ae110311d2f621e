"""A trained network with dropout and batch norm predicts the same test set twice. Left in training mode, the two passes name
different classes for many samples; after model.eval() they agree."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def samples(count, generator):
    y = torch.randint(0, 4, (count,), generator=generator)
    centres = 2.0 * torch.eye(4, 16)
    return centres[y] + torch.randn(count, 16, generator=generator), y


def run(use_eval):
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    x, y = (t.to(device) for t in samples(1024, generator))
    test_x, test_y = (t.to(device) for t in samples(512, generator))
    model = nn.Sequential(
        nn.Linear(16, 64),
        nn.BatchNorm1d(64),
        nn.ReLU(),
        nn.Dropout(0.7),
        nn.Linear(64, 64),
        nn.ReLU(),
        nn.Dropout(0.7),
        nn.Linear(64, 4),
    ).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    model.train()
    for _ in range(10):
        for start in range(0, len(x), 64):
            loss = nn.functional.cross_entropy(model(x[start : start + 64]), y[start : start + 64])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if use_eval:
        model.eval()
    with torch.no_grad():  # does not change the mode
        first, second = model(test_x).argmax(1), model(test_x).argmax(1)
    changed = (first != second).float().mean().item()
    accuracy = (first == test_y).float().mean().item()
    print(json.dumps({"accuracy": round(accuracy, 3), "changed": round(changed, 3)}))
    if changed > 0.02:
        sys.exit(
            f"symptom: {changed:.0%} of the predicted classes differ between two passes over the same data"
        )


def broken():
    run(use_eval=False)


def fixed():
    run(use_eval=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
