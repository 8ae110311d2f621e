"""A picture (height, width, channel) is turned into (channel, height, width) by reshape: the shape is right, and the red channel holds
pieces of all three colours. permute moves the axis and keeps the colours."""

import json
import sys

import torch

picture = torch.zeros(4, 6, 3)
picture[..., 0] = 1  # all red


def turn(convert):
    channels_first = convert(picture)
    red = channels_first[0].mean().item()
    print(json.dumps({"shape": list(channels_first.shape), "red": round(red, 2)}))
    if channels_first.shape == (3, 4, 6) and red < 0.99:
        sys.exit(f"symptom: the shape is right, but of the red channel only {red:.2f} is red")


def broken():
    turn(lambda x: x.reshape(3, 4, 6))


def fixed():
    turn(lambda x: x.permute(2, 0, 1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
