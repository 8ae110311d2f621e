"""torch.onnx.export in an environment without onnxscript (hidden here, should it be installed): the exporter that is the default since torch
2.9 cannot be imported. With the package in reach the same call exports."""

import importlib.abc
import os
import sys
import tempfile

import torch


class Without(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "onnxscript":
            raise ModuleNotFoundError("No module named 'onnxscript'", name="onnxscript")


def export():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        torch.onnx.export(torch.nn.Linear(4, 2).eval(), (torch.randn(1, 4),), path)
        print(os.path.getsize(path) > 0)


def broken():
    sys.meta_path.insert(0, Without())
    export()


def fixed():
    export()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
