"""torch starts in an environment whose NumPy cannot be loaded, goes on without it, and fails when a tensor becomes an array; with a usable NumPy it works."""

import sys


def predict():
    import torch

    model = torch.nn.Linear(4, 2)
    with torch.no_grad():
        scores = model(torch.randn(3, 4)).softmax(dim=1)
    return scores.numpy().round(2)


def broken():
    sys.modules["numpy"] = None  # as after an incompatible or missing NumPy: importing it fails
    predict()


def fixed():
    predict()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
