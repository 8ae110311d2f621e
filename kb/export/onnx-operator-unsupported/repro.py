"""The old ONNX exporter has no translation of torch.fft.fft2. The real part of a two-dimensional DFT written as products with
cosine and sine matrices goes through the same call."""

import io
import math
import sys

import torch
from torch import nn


class Spectrum(nn.Module):
    def forward(self, x):
        return torch.fft.fft2(x).real


class SpectrumAsProducts(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        for name, size in (("rows", rows), ("columns", columns)):
            angle = 2 * math.pi * torch.outer(torch.arange(size), torch.arange(size)) / size
            self.register_buffer(f"cos_{name}", angle.cos())
            self.register_buffer(f"sin_{name}", angle.sin())

    def forward(self, x):
        return self.cos_rows @ x @ self.cos_columns - self.sin_rows @ x @ self.sin_columns


def export(model):
    x = torch.arange(12.0).reshape(3, 4)
    torch.testing.assert_close(model(x), torch.fft.fft2(x).real, atol=1e-3, rtol=1e-4)
    torch.onnx.export(model.eval(), (x,), io.BytesIO(), opset_version=17, dynamo=False)
    print("exported")


def broken():
    export(Spectrum())


def fixed():
    export(SpectrumAsProducts(3, 4))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
