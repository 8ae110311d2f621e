"""Training data sorted by class, read in that order: the model ends by predicting the class that came last. Shuffled, the same loop learns both."""

import json
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
COUNT = 1000
y = torch.arange(2).repeat_interleave(COUNT)  # all of class 0, then all of class 1
x = torch.randn(2 * COUNT, 10) + (2 * y[:, None] - 1) * 0.3
test_x = torch.randn(2 * COUNT, 10) + (2 * y[:, None] - 1) * 0.3


def train(shuffle):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(2):
        for batch, labels in DataLoader(TensorDataset(x, y), batch_size=20, shuffle=shuffle):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(batch), labels).backward()
            optimizer.step()
    with torch.no_grad():
        predicted = model(test_x).argmax(1)
    accuracy, share = (predicted == y).float().mean().item(), predicted.float().mean().item()
    print(json.dumps({"accuracy": round(accuracy, 3), "predicted_last_class": round(share, 3)}))
    if share > 0.8:
        sys.exit(
            f"symptom: {share:.0%} of a balanced test set are predicted as the class that came last (accuracy {accuracy:.0%})"
        )


def broken():
    train(shuffle=False)


def fixed():
    train(shuffle=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
