"""What torch.load returns for a file of weights is a dictionary, which has no eval(); loaded into a network of the same architecture
the weights predict."""

import os
import sys
import tempfile

import torch
from torch import nn


def network():
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))


def as_it_is(path):
    return torch.load(path, map_location="cpu", weights_only=True)


def into_a_model(path):
    model = network()
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return model


def predict(restore):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.pt")
        torch.save(network().state_dict(), path)  # the end of the training script
        model = restore(path)
    model.eval()
    with torch.no_grad():
        print(model(torch.ones(1, 4)).shape)


def broken():
    predict(as_it_is)


def fixed():
    predict(into_a_model)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
