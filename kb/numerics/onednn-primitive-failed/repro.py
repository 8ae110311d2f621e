"""A layer whose weight does not fit its input runs in oneDNN's own layout, where torch's check of the shapes is not reached: oneDNN refuses
and says only that it could not create a primitive. With weights that fit, the same call works."""

import sys

import torch


def run(features):
    data = torch.randn(2, 4).to_mkldnn()
    weight = torch.randn(3, features).to_mkldnn()
    print(torch.nn.functional.linear(data, weight).to_dense().shape)


def broken():
    run(features=5)


def fixed():
    run(features=4)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
