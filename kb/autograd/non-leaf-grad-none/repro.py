"""The gradient of an input image is wanted, but unsqueeze() made a new tensor after requires_grad was set: .grad stays
None. Asking for the gradient after the last conversion gives it."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 14 * 14, 10)).to(device)


def saliency(image):
    score = model(image)[0].max()
    score.backward()
    gradient = image.grad
    print("saliency map:", None if gradient is None else tuple(gradient.shape))
    if gradient is None:
        sys.exit("the gradient of the image is None")


def broken():
    saliency(torch.rand(3, 16, 16, requires_grad=True).unsqueeze(0).to(device))


def fixed():
    saliency(torch.rand(3, 16, 16).unsqueeze(0).to(device).requires_grad_())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
