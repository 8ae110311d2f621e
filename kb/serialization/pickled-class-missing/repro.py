"""One script defines a network, trains it and saves the whole object; another script cannot load it, since the pickle names a class of
__main__ that is not there. The state dict of the same network loads into a class of any name."""

import os
import subprocess
import sys
import tempfile

import torch
from torch import nn

TRAIN = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)

model = Net()
torch.save(model, "whole.pt")
torch.save(model.state_dict(), "weights.pt")
"""


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)


def predict(restore):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "train.py"), "w") as script:
            script.write(TRAIN)
        subprocess.run([sys.executable, "train.py"], cwd=folder, check=True)
        model = restore(folder)
    model.eval()
    print(model(torch.ones(1, 4)).shape)


def whole(folder):
    return torch.load(os.path.join(folder, "whole.pt"), weights_only=False)


def weights(folder):
    model = Classifier()
    model.load_state_dict(torch.load(os.path.join(folder, "weights.pt"), weights_only=True))
    return model


def broken():
    predict(whole)


def fixed():
    predict(weights)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
