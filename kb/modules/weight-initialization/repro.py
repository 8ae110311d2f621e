"""xavier_uniform_ in a loop over all parameters fails at the first bias. Initialising by module type does the same job."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def build():
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10)
    ).to(device)


def broken():
    model = build()
    for parameter in model.parameters():
        nn.init.xavier_uniform_(parameter)
    print(model(torch.randn(2, 3, 8, 8, device=device)).shape)


def fixed():
    model = build()

    def init_weights(module):
        if isinstance(module, (nn.Conv2d, nn.Linear)):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)

    model.apply(init_weights)
    print(model(torch.randn(2, 3, 8, 8, device=device)).shape)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
