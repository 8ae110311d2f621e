"""ToTensor stands twice in a pipeline, so the second one gets a tensor, which it does not take. With one of them the image comes out."""

import sys

from PIL import Image
from torchvision import transforms


def load(steps):
    image = Image.new("RGB", (8, 8))
    print(transforms.Compose(steps)(image).shape)


def broken():
    load([transforms.ToTensor(), transforms.Resize(4), transforms.ToTensor()])


def fixed():
    load([transforms.Resize(4), transforms.ToTensor()])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
