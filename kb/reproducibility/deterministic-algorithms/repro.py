"""A small SegNet in deterministic mode: MaxUnpool2d has no deterministic implementation and raises. Its windows do not overlap here, so
exempting that one call changes nothing and the rest stays guarded."""

import contextlib
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


@contextlib.contextmanager
def exempt():
    torch.use_deterministic_algorithms(False)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(True)


class SegNet(nn.Module):
    def __init__(self, around_unpool):
        super().__init__()
        self.encode = nn.Conv2d(3, 8, 3, padding=1)
        self.pool = nn.MaxPool2d(2, return_indices=True)
        self.unpool = nn.MaxUnpool2d(2)
        self.decode = nn.Conv2d(8, 4, 3, padding=1)
        self.around_unpool = around_unpool

    def forward(self, image):
        features, indices = self.pool(torch.relu(self.encode(image)))
        with self.around_unpool():
            features = self.unpool(features, indices)
        return self.decode(features)


def predict(around_unpool):
    torch.manual_seed(0)
    torch.use_deterministic_algorithms(True)
    model = SegNet(around_unpool).to(device).eval()
    with torch.no_grad():
        print(model(torch.randn(2, 3, 16, 16, device=device)).shape)


def broken():
    predict(contextlib.nullcontext)


def fixed():
    predict(exempt)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
