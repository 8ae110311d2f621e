"""Position embeddings as older repositories compute them, with np.float: NumPy 1.24 and newer have no such name.
float, which it stood for, gives the same array."""

import sys

import numpy as np
import torch


def frequencies(kind):
    omega = np.arange(8, dtype=kind()) / 8
    print(torch.from_numpy(1 / 10000**omega).float())


def broken():
    frequencies(lambda: np.float)


def fixed():
    frequencies(lambda: float)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
