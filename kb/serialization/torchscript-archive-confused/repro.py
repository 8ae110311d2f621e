"""A checkpoint is given to torch.jit.load, which looks for the members of a TorchScript archive. The same weights in a scripted module
open with it."""

import sys
import tempfile
from pathlib import Path

import torch

model = torch.nn.Linear(4, 2)


def open_archive(save):
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model.pt")
        save(path)
        print(torch.jit.load(path)(torch.ones(1, 4)).shape)


def broken():
    open_archive(lambda path: torch.save(model.state_dict(), path))


def fixed():
    open_archive(lambda path: torch.jit.script(model).save(path))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
