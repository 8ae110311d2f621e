"""Predictions go to NumPy for a metric while they still belong to the graph: refused. Detached, they are accepted."""

import sys

import numpy
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)).to(device)
x = torch.randn(32, 4, device=device)
target = x.sum(dim=1, keepdim=True)


def evaluate(leave_graph):
    predictions = leave_graph(model(x))
    error = numpy.abs(predictions.cpu().numpy() - target.cpu().numpy()).mean()
    print("mean absolute error", round(float(error), 4))


def broken():
    evaluate(lambda output: output)


def fixed():
    evaluate(torch.Tensor.detach)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
