"""An image as a decoder delivers it (uint8, 0 to 255) goes straight into a convolution; converted to float and scaled to
0..1 it is accepted."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10)).to(device)
decoded = torch.randint(0, 256, (32, 48, 3), dtype=torch.uint8)  # height, width, colour


def classify(prepare):
    image = decoded.permute(2, 0, 1).unsqueeze(0).to(device)
    with torch.no_grad():
        scores = model(prepare(image))
    print("class", scores.argmax(dim=1).item())


def broken():
    classify(lambda image: image)


def fixed():
    classify(lambda image: image.float() / 255)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
