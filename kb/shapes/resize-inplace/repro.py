"""A one-hot helper reshapes the labels with resize_: the caller's (N,) labels are (N, 1) afterwards, and the accuracy counts N x N comparisons.
With view in its place the labels stay as they were."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def run(as_column):
    torch.manual_seed(0)
    labels = (torch.arange(96) % 4).to(device)
    inputs = 3.0 * torch.eye(4, 8, device=device)[labels] + torch.randn(96, 8, device=device)
    model = nn.Linear(8, 4).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

    def one_hot(label, classes):
        return torch.zeros(len(label), classes, device=device).scatter_(1, as_column(label), 1.0)

    correct, changed = 0, False
    for _ in range(10):
        correct = 0
        for x, y in zip(inputs.split(32), labels.split(32)):
            y = y.clone()
            before = y.shape
            logits = model(x)
            loss = nn.functional.mse_loss(logits, one_hot(y, 4))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            correct += (logits.argmax(1) == y).sum().item()
            changed |= y.shape != before
    accuracy = correct / len(labels)
    print(json.dumps({"accuracy": round(accuracy, 3), "labels_changed": changed}))
    if changed and accuracy > 1:
        sys.exit(f"symptom: accuracy is {accuracy:.0%} since the labels got another shape by resize_")


def broken():
    run(lambda label: label.resize_(len(label), 1))


def fixed():
    run(lambda label: label.view(len(label), 1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
