"""Random numbers are asked for on the GPU from a generator of the CPU. A generator of the same device makes them."""

import sys

import torch

if not torch.cuda.is_available():
    print("needs a GPU: a generator of another device cannot be had without one", file=sys.stderr)
    sys.exit(125)


def shuffle(generator):
    print(torch.randperm(8, device="cuda", generator=generator.manual_seed(0)).tolist())


def broken():
    shuffle(torch.Generator())


def fixed():
    shuffle(torch.Generator(device="cuda"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
