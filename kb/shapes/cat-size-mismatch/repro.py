"""A two-level U-Net gets images of 30x30: 30, 15, 7 on the way down, 14 on the way up, where the skip connection has 15. Resized to the
skip connection's size before torch.cat, every size works."""

import sys

import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


class UNet(nn.Module):
    def __init__(self, fit):
        super().__init__()
        self.fit = fit
        self.down1, self.down2, self.bottom = (
            nn.Conv2d(a, b, 3, padding=1) for a, b in ((3, 8), (8, 16), (16, 16))
        )
        self.up2, self.up1 = nn.Conv2d(32, 8, 3, padding=1), nn.Conv2d(16, 2, 3, padding=1)

    def join(self, skip, x):
        x = F.interpolate(x, scale_factor=2)
        return torch.cat([skip, self.fit(x, skip)], dim=1)

    def forward(self, x):
        one = self.down1(x).relu()
        two = self.down2(F.max_pool2d(one, 2)).relu()
        x = self.bottom(F.max_pool2d(two, 2)).relu()
        x = self.up2(self.join(two, x)).relu()
        return self.up1(self.join(one, x))


def run(fit):
    model = UNet(fit).to(device)
    for side in (32, 30):
        print(side, tuple(model(torch.randn(2, 3, side, side, device=device)).shape))


def broken():
    run(lambda x, skip: x)


def fixed():
    run(lambda x, skip: F.interpolate(x, size=skip.shape[-2:]))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
