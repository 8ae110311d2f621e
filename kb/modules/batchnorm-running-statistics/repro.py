"""Samples of two kinds, shifted against each other, come in batches of one kind: each batch is centred on itself in training, and no
single average fits both in eval mode. In shuffled batches the running statistics fit."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def run(shuffled):
    torch.manual_seed(0)
    night = torch.arange(1024) % 128 >= 64
    y = torch.randint(0, 2, (1024,))
    x = torch.randn(1024, 8)
    x[:, 0] += 3.0 * (2 * y - 1)
    x += 8.0 * night[:, None]
    order = torch.randperm(1024) if shuffled else torch.arange(1024)
    x, y = x[order].to(device), y[order].to(device)
    model = nn.Sequential(
        nn.BatchNorm1d(8), nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 2)
    ).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(6):
        right = 0
        for start in range(0, 1024, 64):
            scores = model(x[start : start + 64])
            loss = nn.functional.cross_entropy(scores, y[start : start + 64])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right += (scores.argmax(1) == y[start : start + 64]).sum().item()
    train_accuracy = right / 1024
    model.eval()
    with torch.no_grad():
        eval_accuracy = (model(x).argmax(1) == y).float().mean().item()
    print(json.dumps({"train_mode": round(train_accuracy, 3), "eval_mode": round(eval_accuracy, 3)}))
    if train_accuracy - eval_accuracy > 0.15:
        sys.exit(
            f"symptom: {train_accuracy:.0%} of the training set is right in train mode, {eval_accuracy:.0%} in eval mode"
        )


def broken():
    run(shuffled=False)


def fixed():
    run(shuffled=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
