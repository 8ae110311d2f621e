"""A class label beyond the embedding table kills a kernel; the first convolution afterwards reports it as a cuDNN status."""

import sys
import time

import torch
from torch import nn


def need_gpu():
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)


class Conditional(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.label = nn.Embedding(classes, 16)
        self.conv = nn.Conv2d(3, 16, 3, padding=1)

    def forward(self, image, label):
        shift = self.label(label)
        time.sleep(0.5)  # the kernel has failed by now and nobody has noticed
        return self.conv(image) + shift[:, :, None, None]


def run(classes):
    print(torch.cuda.get_device_properties(0).name)
    model = Conditional(classes).cuda()
    image = torch.randn(4, 3, 32, 32, device="cuda")
    label = torch.tensor([0, 3, 7, 10], device="cuda")
    torch.cuda.synchronize()
    print(model(image, label).sum().item())


def broken():
    need_gpu()
    run(classes=10)


def fixed():
    need_gpu()
    run(classes=11)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
