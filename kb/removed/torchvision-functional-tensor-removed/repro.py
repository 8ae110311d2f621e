"""Code from before torchvision 0.17 imports rgb_to_grayscale from a module that is gone. The public module has the same function."""

import sys

import torch

images = torch.rand(2, 3, 8, 8)


def broken():
    from torchvision.transforms.functional_tensor import rgb_to_grayscale

    print(rgb_to_grayscale(images).shape)


def fixed():
    from torchvision.transforms.functional import rgb_to_grayscale

    print(rgb_to_grayscale(images).shape)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
