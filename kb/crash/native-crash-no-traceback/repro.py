"""A tensor is mapped onto a file that is then cut for the next version: reading the tensor ends the process by SIGBUS, which no
`except` catches. A new file that replaces the old one leaves the mapped pages alone."""

import faulthandler
import os
import sys
import tempfile
from pathlib import Path

import torch

faulthandler.enable()  # without it the process ends without a word
NUMBERS = 1 << 20


def cut(path):
    os.truncate(path, 0)
    Path(path).write_bytes(bytes(8))


def replace(path):
    Path(path + ".new").write_bytes(bytes(8))
    os.replace(path + ".new", path)


def read(write_next_version):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "features.bin")
        Path(path).write_bytes(bytes(4 * NUMBERS))
        features = torch.from_file(path, shared=True, size=NUMBERS)
        write_next_version(path)
        try:
            print("sum", features.sum().item())
        except Exception as error:
            print("caught", error)


def broken():
    read(cut)


def fixed():
    read(replace)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
