"""A classifier trained on RGB images is given the same images with their channels in OpenCV's order, BGR: the shapes fit, nothing is
reported, and the classes are wrong. With the channels put in order it is right again."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def photos(count, generator):
    y = torch.randint(0, 2, (count,), generator=generator)
    x = torch.rand(count, 3, 8, 8, generator=generator) * 0.6
    x[y == 0, 0] += 0.3  # reddish
    x[y == 1, 2] += 0.3  # bluish
    return x.to(device), y.to(device)


def as_opencv_reads(x):
    return x.flip(1)


def run(prepare):
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 2)
    ).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    x, y = photos(512, generator)
    for _ in range(60):
        loss = nn.functional.cross_entropy(model(x - 0.4), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    x, y = photos(512, generator)
    with torch.no_grad():
        accuracy = (model(prepare(as_opencv_reads(x)) - 0.4).argmax(1) == y).float().mean().item()
    print(json.dumps({"accuracy": round(accuracy, 3)}))
    if accuracy < 0.6:
        sys.exit(f"symptom: accuracy is {accuracy:.0%} on images that were prepared otherwise")


def broken():
    run(prepare=lambda x: x)


def fixed():
    run(prepare=lambda x: x.flip(1))  # BGR to RGB


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
