"""torch.onnx.export in an environment without onnxscript (hidden here, should it be installed): the exporter that is the default since torch
2.9 cannot be imported. With the package in reach the same call exports."""

import importlib.abc
import os
import sys
import tempfile

import torch


class Without(importlib.abc.MetaPathFinder):
    """The finders of Python, which do not find onnxscript."""

    def __init__(self, finders):
        self.finders = finders

    def find_spec(self, name, path=None, target=None):
        if name == "onnxscript":
            return None
        specs = (finder.find_spec(name, path, target) for finder in self.finders)
        return next((spec for spec in specs if spec), None)


def export():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        torch.onnx.export(torch.nn.Linear(4, 2).eval(), (torch.randn(1, 4),), path)
        print(os.path.getsize(path) > 0)


def broken():
    sys.meta_path[:] = [Without(list(sys.meta_path))]
    export()


def fixed():
    export()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
