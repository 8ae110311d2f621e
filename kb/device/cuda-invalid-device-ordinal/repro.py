"""One card is made visible, and the script then asks for cuda:1: ordinals count the visible cards from 0."""

import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]

import torch
from torch import nn


def need_gpu():
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)


def infer(device):
    model = nn.Linear(8, 3).to(device)
    print(model(torch.randn(4, 8, device=device)).sum().item())


def broken():
    need_gpu()
    infer(torch.device("cuda:1"))


def fixed():
    need_gpu()
    infer(torch.device("cuda:0"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
