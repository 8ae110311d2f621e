"""A tensor is sent to "mps" where torch has no usable MPS backend (any Linux or Windows machine shows it). Asking first, and falling back to
what there is, works everywhere."""

import sys

import torch

x = torch.ones(3)


def broken():
    if torch.backends.mps.is_available():
        print("MPS works here", file=sys.stderr)
        sys.exit(125)
    print(x.to("mps").sum())


def fixed():
    device = "mps" if torch.backends.mps.is_available() else "cuda" if torch.cuda.is_available() else "cpu"
    print(x.to(device).sum())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
