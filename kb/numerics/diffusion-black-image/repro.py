"""A decoder whose activations pass 65504 overflows to inf and nan in float16, and the picture made of them is black. Decoded in float32 the
same latents give a picture."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
decoder = nn.Sequential(nn.Conv2d(4, 64, 1), nn.GroupNorm(8, 64), nn.Conv2d(64, 3, 1), nn.Sigmoid())
nn.init.constant_(decoder[0].weight, 3e4)  # a few outliers do the same in a real decoder
latents = torch.rand(1, 4, 8, 8) + 1


def decode(dtype):
    with torch.no_grad():
        images = decoder.to(dtype)(latents.to(dtype)).float().permute(0, 2, 3, 1).numpy()
    images = (images * 255).round().astype("uint8")
    print(images.min(), images.max())


def broken():
    decode(torch.float16)


def fixed():
    decode(torch.float32)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
