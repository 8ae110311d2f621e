"""A token id beyond the vocabulary kills the embedding kernel; the error surfaces in the next matrix product, where cuBLAS cannot start."""

import sys
import time

import torch
from torch import nn


def need_gpu():
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)


def forward(vocabulary):
    print(torch.cuda.get_device_properties(0).name)
    ids = torch.tensor([[5, 17, 99, 120], [3, 4, 5, 6]], device="cuda")
    embed = nn.Embedding(vocabulary, 64, device="cuda")
    torch.cuda.synchronize()
    hidden = embed(ids)
    time.sleep(0.5)  # the host does something else; the kernel has failed by now and nobody has noticed
    scores = hidden @ hidden.transpose(1, 2)
    print(scores.sum().item())


def broken():
    need_gpu()
    forward(vocabulary=100)


def fixed():
    need_gpu()
    forward(vocabulary=121)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
