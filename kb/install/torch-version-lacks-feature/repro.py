"""A training script saved as torch.py imports itself instead of PyTorch and finds no torch.device; under another name it runs."""

import subprocess
import sys

SCRIPT = """
import torch

device = torch.device("cpu")
weight = torch.zeros(3, requires_grad=True, device=device)
(weight * torch.ones(3, device=device)).sum().backward()
print(torch.__version__, weight.grad.tolist())
"""


def run_as(name):
    with open(name, "w") as file:
        file.write(SCRIPT)
    sys.exit(subprocess.run([sys.executable, name]).returncode)


def broken():
    run_as("torch.py")


def fixed():
    run_as("train.py")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
