"""The download of a .safetensors file stops half-way: its header is whole, its numbers are not, and loading refuses it.
The whole file loads."""

import os
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file


def load(download):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        save_file(torch.nn.Linear(64, 64).state_dict(), path)
        download(path)
        print({name: tuple(tensor.shape) for name, tensor in load_file(path).items()})


def broken():
    load(lambda path: os.truncate(path, os.path.getsize(path) // 2))


def fixed():
    load(lambda path: None)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
