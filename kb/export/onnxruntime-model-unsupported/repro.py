"""A network exported in float64 is a valid ONNX file, and ONNX Runtime has no convolution for doubles: no session is made. Exported in float32 the same
network runs."""

import io
import sys

import onnxruntime
import torch
from torch import nn

torch.manual_seed(0)


def run(dtype):
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()).eval().to(dtype)
    example = torch.randn(1, 3, 8, 8, dtype=dtype)
    file = io.BytesIO()
    torch.onnx.export(model, (example,), dynamo=True, input_names=["input"]).save(file)
    session = onnxruntime.InferenceSession(file.getvalue(), providers=["CPUExecutionProvider"])
    print(session.run(None, {"input": example.numpy()})[0].shape)


def broken():
    run(torch.float64)


def fixed():
    run(torch.float32)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
