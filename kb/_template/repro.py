"""Joining feature maps of 32 and 31 rows along the channels fails; resizing one to the other's size first does not."""

import sys

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
skip = torch.randn(1, 8, 31, 31, device=device)
up = torch.randn(1, 8, 30, 30, device=device)


def broken():
    torch.cat([skip, up], dim=1)


def fixed():
    resized = torch.nn.functional.interpolate(up, size=skip.shape[-2:])
    torch.cat([skip, resized], dim=1)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
