"""A script whose training loop stands at the top level cannot spawn loader workers; behind the main guard it can."""

import os
import subprocess
import sys
import tempfile

import torch  # noqa: F401  (the script below needs it)

SCRIPT = """
import torch
from torch.utils.data import DataLoader, TensorDataset

def main():
    data = TensorDataset(torch.arange(8.0))
    for (x,) in DataLoader(data, batch_size=4, num_workers=1, multiprocessing_context="spawn"):
        print(x)
"""


def run(last_lines):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "train.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SCRIPT + last_lines)
        sys.exit(subprocess.run([sys.executable, path]).returncode)


def broken():
    run("\nmain()\n")


def fixed():
    run('\nif __name__ == "__main__":\n    main()\n')


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
