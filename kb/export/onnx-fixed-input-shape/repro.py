"""A network exported with an example batch of one takes batches of one only. Exported with a dynamic batch dimension it takes four."""

import io
import sys

import onnxruntime
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()).eval()


def run(**settings):
    example = torch.randn(1, 3, 8, 8)
    file = io.BytesIO()
    torch.onnx.export(model, (example,), dynamo=True, input_names=["input"], **settings).save(file)
    session = onnxruntime.InferenceSession(file.getvalue())
    print(session.get_inputs()[0].shape)
    print(session.run(None, {"input": torch.randn(4, 3, 8, 8).numpy()})[0].shape)


def broken():
    run()


def fixed():
    run(dynamic_shapes={"input": {0: torch.export.Dim("batch")}})


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
