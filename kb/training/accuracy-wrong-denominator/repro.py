"""The counter of right answers is set to zero before the loop over epochs and divided by one epoch's samples: from the second epoch on the
accuracy passes 100 %. Set to zero in each epoch it stays below."""

import json
import sys

import torch
from torch import nn


def evaluate(reset):
    torch.manual_seed(0)
    x = torch.randn(64, 2)
    y = (x[:, 0] > 0).long()
    model = nn.Linear(2, 2)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([[-1.0, 0.5], [1.0, 0.5]]))
        model.bias.zero_()
    correct = 0
    for epoch in range(2):
        if reset:
            correct = 0
        for part in range(0, 64, 16):
            batch = slice(part, part + 16)
            correct += (model(x[batch]).argmax(1) == y[batch]).sum().item()
        accuracy = 100 * correct / len(y)
        print(f"epoch {epoch + 1} accuracy: {accuracy:.2f}%", file=sys.stderr)
    print(json.dumps({"samples": len(y), "accuracy_percent": accuracy}))
    if accuracy > 100:
        sys.exit(f"symptom: after two epochs the accuracy is {accuracy:.0f} %, the accuracy of both added up")


def broken():
    evaluate(reset=False)


def fixed():
    evaluate(reset=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
