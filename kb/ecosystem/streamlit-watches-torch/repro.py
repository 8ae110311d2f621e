"""What Streamlit's watcher asks of each module, asked of torch.classes: it looks for a C++ class. With a path of its own it answers."""

import sys

import torch


def folders(module):
    return list(module.__path__._path) if hasattr(module.__path__, "_path") else list(module.__path__)


def broken():
    print("folders:", folders(torch.classes))


def fixed():
    torch.classes.__path__ = []
    print("folders:", folders(torch.classes))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
