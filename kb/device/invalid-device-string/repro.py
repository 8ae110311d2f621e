"""The device's name comes from an option: "gpu" is no name that torch knows. "cuda" is, where there is one, and "cpu" is everywhere."""

import sys

import torch

option = "gpu"


def run(name):
    print(torch.ones(2, device=torch.device(name)).device)


def broken():
    run(option)


def fixed():
    run("cuda" if option == "gpu" and torch.cuda.is_available() else "cpu")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
